/** Writes the journals of simulated meetings and games. */
import { Recorder } from '../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { encodeReply, type LineBody } from '../../machines/journal/codec.ts';
import type { Fact, GhostFact } from '../../machines/rules/facts.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import {
  type MeetingMatch,
  type MeetingMatchInput,
  meetingMatchSchema,
} from '../../machines/setup/match.ts';
import { encodeMeetingOptions } from '../../machines/setup/options.ts';
import type { Bid } from '../../machines/types.ts';

export type TraceTitle = { readonly name: string; readonly about: string };

/** A bid with its raw reply, as the real minds hand it in. */
export function withReceived(bid: Bid): Bid {
  return bid.type === 'reply' ? { ...bid, received: encodeReply(bid.reply) } : bid;
}

export class TraceJournal {
  /** The number of the last living line. The header has number 0. */
  last = 0;
  readonly #sink = new MemorySink();
  readonly #recorder = new Recorder({ sink: this.#sink });

  constructor({ living, ghosts }: { readonly living: LineBody; readonly ghosts: LineBody }) {
    this.#recorder.write('living', [living]);
    this.#recorder.write('ghosts', [ghosts]);
  }

  record(facts: readonly (Fact | GameFact)[]): number {
    if (facts.length > 0) this.#recorder.record('living', facts);
    this.last += facts.length;
    return this.last;
  }

  recordGhosts(fact: GhostFact): void {
    this.#recorder.record('ghosts', [fact]);
  }

  get text(): string {
    return this.#sink.text;
  }
}

export function createHeaderMatch(
  { options, seats, standings, call }: MeetingSetup,
  more: Pick<MeetingMatchInput, 'name' | 'about' | 'ghosts'>,
  stated: MeetingOptions = options,
): MeetingMatch {
  return meetingMatchSchema.parse({
    ...more,
    options: encodeMeetingOptions(stated),
    call: { by: call.by },
    seats: seats.map(({ colour, role }) => ({ colour, role, dead: standings[colour] === 'dead' })),
  });
}
