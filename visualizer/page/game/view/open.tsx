/** No journal, or one that can't be shown: says why, and takes another. */
import { openFile } from '../state/opening.ts';

export function Open({ sentence }: { readonly sentence: string }) {
  return (
    <main class="open">
      <h1>
        <span class="league">The Glass Box League</span>
        No journal to show
      </h1>
      <p class="sentence" role="alert">
        {sentence}
      </p>
      <label class="file">
        <span>Open a journal from this device</span>
        <input
          type="file"
          accept=".jsonl,application/jsonl"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined) void openFile(file);
          }}
        />
      </label>
      <p class="hint">It stays on this device: the page asks nobody for anything.</p>
    </main>
  );
}
