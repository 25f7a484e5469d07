/** Values for lenses: texts that must not pass, the seats that hold them, and lines of a journal with them. */
import type { Lens } from '../../../machines/journal/lens.ts';
import { type Channel, type Line, lineSchema } from '../../../machines/journal/lines.ts';
import type { Colour } from '../../../machines/types.ts';

/** Planted in every private text. */
export const TEXT = 'CANARY';

export const secretSeat = (colour: string, role: string) => ({
  colour,
  role,
  persona: { name: 'Ada', temperament: 'joker', notes: TEXT },
  mind: 'silent',
  model: 'acme/parrot-2',
  votes: 'after-nudge',
  notes: TEXT,
});

export const TABLE: Lens = { type: 'table' };
export const eyesOf = (seat: Colour): Lens => ({ type: 'player', seat });

/** Lines of one channel, numbered, under a hash and a clock with secrets. */
export function linesWith(fields: readonly object[], channel: Channel = 'living'): readonly Line[] {
  const clock = { late: [{ reply: TEXT }] };
  return fields.map((one, seq) => lineSchema.parse({ ...one, channel, seq, hash: TEXT, clock }));
}
