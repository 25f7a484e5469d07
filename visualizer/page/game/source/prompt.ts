/** Prompts: asked of the server that serves the page, or named by the command that prints them. */
import type { Colour } from '../../../../machines/types.ts';
import type { Asking } from '../calls/ledger.ts';

export type Prompt = {
  readonly system: string;
  readonly user: string;
  readonly schema: unknown;
  readonly schemaName: string;
  readonly maxTokens: number;
};

/** The prompt, or a sentence that says why there is none. */
export async function promptFrom({ line }: Asking, seat: Colour): Promise<Prompt | string> {
  const asked = new URLSearchParams({ player: seat, channel: line.channel, seq: `${line.seq}` });
  try {
    const response = await fetch(`prompt?${asked.toString()}`);
    if (!response.ok) return await response.text();
    const prompt: Prompt = await response.json();
    return prompt;
  } catch {
    return 'The server that has the journal does not answer any more.';
  }
}

/** The command that prints a prompt of a journal. */
export function promptCommand(name: string, { line, meeting }: Asking, seat: Colour): string {
  const path = /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  return `glassbox prompt ${path} --player ${seat} ${placeOf(line, meeting)}`;
}

function placeOf(line: Asking['line'], meeting: number): string {
  if (line.type === 'round.closed') return `--round ${line.round ?? 0}`;
  const which = `--meeting ${meeting}`;
  if (line.type === 'turn.closed') return `--occasion ghost --tick ${line.turn ?? 0} ${which}`;
  return `--tick ${line.tick ?? 0} ${which}`;
}
