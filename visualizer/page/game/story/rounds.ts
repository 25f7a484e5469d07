/** Rounds in the feed: what happened on the ship that is worth a line. */
import type { SeenEvent } from '../../../../machines/journal/gameLens.ts';
import type { CurrentAction, SeenRound } from '../../../../machines/journal/projection.ts';
import type { Colour } from '../../../../machines/types.ts';
import { SYSTEM_NAMES } from '../../../text.ts';
import type { Around, Item, Piece, Tone } from './item.ts';

export function roundItems(line: SeenRound, { before, after }: Around): readonly Item[] {
  const isReturn = before !== null && before.lastRound === null;
  const title = line.round === 0 ? 'To work' : 'Back to work';
  const work: readonly Item[] = isReturn ? [{ type: 'chapter', title, detail: [] }] : [];
  const events = (line.events ?? []).flatMap(eventItems);
  return [...work, ...events, ...findings(before, after)];
}

/** Who came upon a body in this round. */
function findings(before: Around['before'], after: Around['after']): readonly Item[] {
  if (before === null || after === null) return [];
  const fresh = after.found.filter((seat) => !before.found.includes(seat));
  return fresh.map((seat) => remark('death', ['The body of ', { seat }, ' is found.']));
}

function remark(tone: Tone, words: readonly Piece[]): Item {
  return { type: 'remark', tone, words };
}

function who(seat: Colour | undefined): Piece {
  return seat === undefined ? 'Somebody' : { seat };
}

function eventItems(event: SeenEvent): readonly Item[] {
  switch (event.type) {
    case 'player.killed':
      return [
        remark('death', [
          who(event.by),
          ' kills ',
          who(event.victim),
          ` in ${event.place ?? 'the ship'}.`,
        ]),
      ];
    case 'vent.used': {
      const how = {
        in: ' climbs into a vent in ',
        through: ' crawls on to ',
        out: ' climbs out of a vent in ',
      };
      const words = how[event.how ?? 'in'];
      return [remark('alarm', [who(event.seat), words, `${event.place ?? 'the ship'}.`])];
    }
    case 'sabotage.begun':
      return event.system === undefined
        ? []
        : [remark('alarm', [who(event.by), ` sabotages ${SYSTEM_NAMES[event.system]}.`])];
    case 'sabotage.mended':
      return event.system === undefined
        ? []
        : [remark('work', ['Fixed: ', SYSTEM_NAMES[event.system], '.'])];
    case 'doors.shut':
      return [remark('alarm', [who(event.by), ` shuts the doors of ${event.room ?? 'a room'}.`])];
    case 'keypad.entered':
      return [remark('work', [who(event.seat), ` enters the code in ${event.at ?? 'a room'}.`])];
    case 'task.stepped':
      return event.done === true && event.seat !== undefined
        ? [remark('work', [{ seat: event.seat }, ' finishes a task: ', taskName(event.task), '.'])]
        : [];
    case 'seat.departed':
      return [
        remark('death', [
          who(event.seat),
          event.reason === 'faults' ? ' is disconnected.' : ' leaves the game.',
        ]),
      ];
    case 'seat.faulted':
      return [remark('alarm', [who(event.seat), ` gives no usable reply (${event.code ?? ''}).`])];
    case 'intent.refused':
      return [remark('plain', [who(event.seat), ` is told: ${event.note?.text ?? ''}`])];
    default:
      return [];
  }
}

/** "fix wiring" of "fix-wiring". */
function taskName(task: string | undefined): string {
  return (task ?? 'a task').replaceAll('-', ' ');
}

/** "task · fix wiring", or the kind alone. */
export function actionText({ type, task }: CurrentAction): string {
  return task === '' ? type : `${type} · ${taskName(task)}`;
}
