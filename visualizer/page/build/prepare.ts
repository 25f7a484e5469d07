/**
 * Prepares the page when the packages are installed, so that no command waits for it later. What can't be done now is done on
 * first use, so nothing here ever fails an installation.
 */
import { createLivePage } from './pages.ts';

try {
  await createLivePage({ lens: 'glass', name: '', damaged: 0 });
} catch {
  // The command that shows the page says why.
}
