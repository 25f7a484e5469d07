/** The ledger: who was asked in which line, what they answered, and which requests to models that took. */
import type { SeenLine, SeenOf } from '../../../../machines/journal/lens.ts';
import type { Colour } from '../../../../machines/types.ts';
import { type Call, callsIn } from './call.ts';

export type Answered = SeenOf<'tick.closed' | 'turn.closed' | 'round.closed'>;
type Bid = NonNullable<SeenOf<'tick.closed'>['bids']>[number];

/** A decision of a player: what was received, how it was read, and what it cost. */
export type Decision = {
  readonly seat: Colour;
  /** What arrived, untouched; undefined where nothing did. */
  readonly received: unknown;
  /** How it was read, where that took more than copying. */
  readonly reading: unknown;
  readonly notes: readonly string[];
  /** Why it is none; '' for an answer. */
  readonly fault: string;
  readonly text: string;
  readonly calls: readonly Call[];
};

/** A line in which somebody decided, which of the lines it is, and the meeting it was in, from 1. */
export type Asking = { readonly line: Answered; readonly at: number; readonly meeting: number };

export type Ledger = {
  readonly askings: readonly Asking[];
  readonly calls: readonly Call[];
  readonly decisions: (asking: Asking) => readonly Decision[];
};

export function ledgerOf(lines: readonly SeenLine[]): Ledger {
  const askings: Asking[] = [];
  const all: Call[] = [];
  const byMoment = new Map<string, Call[]>();
  let called = 0;
  for (const [at, line] of lines.entries()) {
    if (line.type === 'meeting.called') called += 1;
    const meeting = Math.max(1, called);
    for (const call of callsIn(line)) {
      all.push(call);
      const key = keyOf(kindOf(call.occasion), call.seat, meeting, call.stamp);
      byMoment.set(key, [...(byMoment.get(key) ?? []), call]);
    }
    if (isAnswered(line)) askings.push({ line, at, meeting });
  }
  const decisions = ({ line, meeting }: Asking) =>
    answersIn(line).map((answer): Decision => {
      const [kind, stamp] = placeOf(line);
      const key = keyOf(kind, answer.seat, meeting, stamp);
      return decision(answer, byMoment.get(key) ?? []);
    });
  return { askings, calls: all, decisions };
}

type Kind = 'ship' | 'ghosts' | 'table';

function kindOf(occasion: string): Kind {
  if (occasion === 'action') return 'ship';
  return occasion === 'ghost' ? 'ghosts' : 'table';
}

/** Ticks and turns are counted within a meeting, rounds within a game. */
function keyOf(kind: Kind, seat: Colour, meeting: number, stamp: number): string {
  return `${kind} ${seat} ${kind === 'ship' ? 0 : meeting} ${stamp}`;
}

function placeOf(line: Answered): readonly [Kind, number] {
  if (line.type === 'round.closed') return ['ship', line.round ?? 0];
  return line.type === 'turn.closed' ? ['ghosts', line.turn ?? 0] : ['table', line.tick ?? 0];
}

function isAnswered(line: SeenLine): line is Answered {
  switch (line.type) {
    case 'tick.closed':
    case 'turn.closed':
    case 'round.closed':
      return answersIn(line).length > 0;
    default:
      return false;
  }
}

type Answer = Pick<Bid, 'seat' | 'received' | 'notes' | 'fault' | 'text'> & {
  readonly reading?: unknown;
};

function answersIn(line: Answered): readonly Answer[] {
  return (line.type === 'round.closed' ? line.orders : line.bids) ?? [];
}

function decision(answer: Answer, calls: readonly Call[]): Decision {
  const { seat, received, reading, notes = [], fault = '', text = '' } = answer;
  return { seat, received, reading, notes: notes.map((note) => note.text), fault, text, calls };
}
