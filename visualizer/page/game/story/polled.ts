/** The poll in the feed: votes, faults, departures, ballots and the verdict. */
import type { SeenLine } from '../../../../machines/journal/lens.ts';
import type { Around, Item, Piece, Tone } from './item.ts';

/** What a line about votes and seats tells. */
export function polled(line: SeenLine, thoughts: Around['thoughts']): readonly Item[] {
  switch (line.type) {
    case 'vote.locked': {
      const { seat, ballot = null } = line;
      if (seat === undefined) return [];
      return [{ type: 'vote', seat, ballot, thought: thoughts[seat] ?? '' }];
    }
    case 'poll.closed':
      return [
        remark('plain', [
          line.reason === 'time-up'
            ? 'The time is up: the poll is closed.'
            : 'Everybody has voted: the poll is closed.',
        ]),
      ];
    case 'ballot.turned':
      return line.ballot === undefined
        ? []
        : [
            {
              type: 'ballot',
              index: line.index ?? 0,
              voter: line.voter ?? line.by ?? null,
              ballot: line.ballot,
              isVoid: line.void === true,
            },
          ];
    case 'verdict.told': {
      const { sentence = '', outcome = null, ejected = null } = line;
      return [{ type: 'verdict', sentence, outcome, ejected }];
    }
    case 'stop.asked':
    case 'end.asked':
      return [remark('alarm', ['Somebody asks for the end.'])];
    default:
      return seated(line);
  }
}

/** What is told of one seat. */
function seated(line: SeenLine): readonly Item[] {
  if (!('seat' in line) || line.seat === undefined) return [];
  const who = { seat: line.seat };
  switch (line.type) {
    case 'vote.refused':
      return [remark('plain', [who, ` is told: ${line.note?.text ?? ''}`])];
    case 'vote.cleared':
      return [remark('plain', [who, ' may vote again.'])];
    case 'seat.faulted': {
      const { code = '', streak = 1 } = line;
      return [remark('alarm', [who, ` gives no usable reply (${code}), ${streak} in a row.`])];
    }
    case 'seat.departed':
      return [
        remark('death', [
          who,
          line.reason === 'faults' ? ' is disconnected.' : ' leaves the game.',
        ]),
      ];
    default:
      return [];
  }
}

function remark(tone: Tone, words: readonly Piece[]): Item {
  return { type: 'remark', tone, words };
}
