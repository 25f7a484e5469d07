/** Builds the pages after installation. If this fails, the first use of the live page builds that one. */
import { createLivePage, writeCheckerPage } from './pages.ts';

try {
  await createLivePage({ lens: 'glass', name: '', damaged: 0 });
  await writeCheckerPage();
} catch {
  // The command that shows the page says why.
}
