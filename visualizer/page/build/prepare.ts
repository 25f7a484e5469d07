/**
 * Builds the page after installation, so that no command waits for it later. A failure here is harmless: the
 * first use builds it.
 */
import { createLivePage } from './pages.ts';

try {
  await createLivePage({ lens: 'glass', name: '', damaged: 0 });
} catch {
  // The command that shows the page says why.
}
