/** Builds the page after installation. If this fails, the first use builds it. */
import { createLivePage } from './pages.ts';

try {
  await createLivePage({ lens: 'glass', name: '', damaged: 0 });
} catch {
  // The command that shows the page says why.
}
