/** Dropping: a journal that is dropped on the page is opened, unless the page shows what is going on. */
import { openFile } from './opening.ts';
import { live } from './session.ts';

export function takeDrops(): void {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file !== undefined && live.value === null) void openFile(file);
  });
}
