/** Properties of the gallery's own chart, which sends nothing to the table. They call no rule. */
import { assumeComes, type MachineStep, type Property } from 'glass-box-checker';
import type { GalleryContext } from '../../machines/charts/gallery.ts';
import { GALLERY, playerId, type ToGallery } from '../../machines/messages.ts';
import type { OutgoingMessage } from '../../machines/outgoing.ts';
import type { GhostFact } from '../../machines/rules/facts.ts';
import { LATE } from '../../machines/rules/tick.ts';
import { type Bid, COLOURS, type Colour } from '../../machines/types.ts';
import { type ActorOutput, messagesIn } from '../models/meetingSystem.ts';
import { allHold, declareProperties, paramsOf, writeLine } from './property.ts';

type GalleryProperty = Property<GalleryContext, ToGallery>;
type GalleryStep = MachineStep<GalleryContext, ToGallery>;

const isOpening = ({ before, after }: GalleryStep) =>
  before.at !== 'talking' && after.at === 'talking';
const isSettled = ({ before, event }: GalleryStep) =>
  before.at === 'settling' && event.type === 'turn.ended';

/** The glimpses that wait after a step, with the one that opens a turn. */
function expectedQueue({ before, event }: GalleryStep): readonly unknown[] {
  const { waiting, turn, glimpse, budget } = before.context;
  if (event.type !== 'table.changed') return waiting;
  const isSpent = event.requestKind === 'ghost' && turn + Number(glimpse !== null) >= budget;
  if (before.at === 'empty' || isSpent) return waiting;
  return [...waiting.filter(({ requestKind }) => requestKind !== 'ghost'), event];
}

function isTurnOver({ before, event, after }: GalleryStep): boolean {
  const isTime = event.type === 'time.called' && event.turn === before.context.turn;
  const { asked, answers } = after.context;
  const isTimer = event.type.startsWith('xstate.after.');
  return isTime || isTimer || asked.every((ghost) => answers[ghost] !== undefined);
}

function expectedPlace(step: GalleryStep): string {
  const { before, event, after } = step;
  if (before.at === 'talking') return isTurnOver(step) ? 'settling' : 'talking';
  if (before.at === 'settling' && !isSettled(step)) return 'settling';
  if (before.at === 'empty' && event.type === 'meeting.over') return 'closed';
  if (before.at === 'empty' && event.type !== 'ghost.joined') return 'empty';
  if (expectedQueue(step).length > 0) return 'talking';
  return after.context.over ? 'closed' : 'watching';
}

function expectedMessages(step: GalleryStep): readonly object[] {
  const { before, after } = step;
  const { asked, turn, answers } = after.context;
  if (isOpening(step)) {
    const { glimpse, chat, ghosts } = after.context;
    const message = { type: 'talk.invited', seen: { ...glimpse, turn, chat } };
    return ghosts.map((ghost) => ({ to: playerId(ghost), message }));
  }
  if (before.at !== 'talking' || after.at !== 'settling') return [];
  const late = asked.filter((ghost) => answers[ghost] === undefined);
  const missed = { type: 'turn.missed', turn };
  return late.map((ghost) => ({ to: playerId(ghost), message: missed }));
}

const isDice = ({ to, message }: OutgoingMessage) =>
  to === GALLERY && message.type === 'turn.ended';

function bidsOf({ asked, answers }: GalleryContext): readonly Bid[] {
  const text = 'no answer before the deadline';
  return COLOURS.filter((seat) => asked.includes(seat)).map(
    (seat) => answers[seat] ?? { type: 'fault', seat, code: LATE, text },
  );
}

/** Among ghosts with something to say, the keenest by desire and die, and by draw among equals. */
function expectedLine({ before, event }: GalleryStep) {
  const { glimpse } = before.context;
  if (glimpse?.requestKind !== 'ghost' || event.type !== 'turn.ended') return null;
  const lines = bidsOf(before.context).flatMap((bid) => {
    const message = bid.type === 'reply' ? bid.reply.message.trim() : '';
    if (bid.type !== 'reply' || message === '') return [];
    const { face, draw } = event.dice[bid.seat] ?? { face: 0, draw: 0 };
    return [{ rank: [bid.reply.desire + face, draw], said: { speaker: bid.seat, message } }];
  });
  const order = ([one = 0, draw = 0]: readonly number[]) => one + draw / COLOURS.length;
  return lines.toSorted((one, other) => order(other.rank) - order(one.rank))[0]?.said ?? null;
}

function pageOf({ before }: GalleryStep, bid: Bid) {
  const { seat } = bid;
  const { ballots, announced } = before.context.glimpse?.truth ?? { ballots: {}, announced: null };
  const main = bid.type === 'reply' ? (bid.reply.pads.main ?? null) : null;
  const voted = (ballots as Readonly<Partial<Record<Colour, string>>>)[seat];
  const end = announced?.ejected ?? null;
  const wasThere = announced !== null && (voted !== undefined || end === seat);
  const line = wasThere
    ? writeLine(voted, announced.outcome, end)
    : 'Meeting: I watched it as a ghost.';
  return { type: 'scratchpads.consolidated', seat, main, line: main === null ? line : null };
}

function expectedFacts(step: GalleryStep): readonly object[] {
  const { before, event, after } = step;
  const { turn, glimpse } = before.context;
  const requestKind = glimpse?.requestKind;
  const joined = event.type === 'ghost.joined' ? [{ type: event.type, seat: event.seat }] : [];
  const closed = before.at !== 'empty' && after.isDone;
  const end = closed ? [{ type: 'gallery.closed', turns: after.context.turn }] : [];
  if (!isSettled(step) || event.type !== 'turn.ended') return [...joined, ...end];
  const bids = bidsOf(before.context);
  const { dice } = event;
  const told = { type: 'turn.closed', turn, requestKind, bids, dice, said: expectedLine(step) };
  const isLast = requestKind === 'consolidation';
  const pages = isLast ? bids.map((bid) => pageOf(step, bid)) : [];
  return [told, ...pages, ...(isLast ? [{ type: 'scratchpads.erased' }] : []), ...end];
}

export const galleryProperties = declareProperties<GalleryProperty>({
  'ghosts-are-asked-together': {
    sentence:
      'A turn invites every ghost at once, each with its own view. Its end releases ghosts without an answer and draws dice once. The gallery sends nothing else, and nothing to the table.',
    holds: (step) => {
      const sent = messagesIn(step.effects);
      const isEnd = step.before.at === 'talking' && step.after.at === 'settling';
      return allHold({
        'the messages': [sent.filter((one) => !isDice(one)), expectedMessages(step)],
        'draws of dice': [sent.filter(isDice).length, Number(isEnd)],
      });
    },
  },
  'the-gallery-tells-what-was': {
    sentence:
      'A turn is announced with all bids, dice and the keenest ghost; the last turn also with the pages that ghosts keep. Joining and the end are announced once.',
    holds: (step) => {
      const told = paramsOf<ActorOutput>(step.effects, 'xstate.emit').flatMap(
        (one): readonly GhostFact[] => (one.type === 'murmurs' ? one.facts : []),
      );
      return allHold({ 'the facts': [told, expectedFacts(step)] });
    },
  },
  'the-gallery-keeps-what-it-sees': {
    sentence:
      'Talk beyond the budget is not seen, later talk replaces earlier, and the last two occasions wait for their turn. An answer counts only in its turn, and a heard line joins the chat.',
    holds: (step) => {
      const { before, event, after } = step;
      const [was, is] = [before.context, after.context];
      const isNew = event.type === 'ghost.answered' && before.at === 'talking';
      const added = isNew && event.turn === was.turn ? { [event.bid.seat]: event.bid } : {};
      const line = isSettled(step) ? expectedLine(step) : null;
      const heard = was.glimpse?.transcript.length ?? 0;
      const open = isSettled(step) ? null : was.glimpse;
      const [next = null, ...later] = expectedQueue(step);
      const isOpen = isOpening(step);
      return allHold({
        'the open glimpse': [is.glimpse, isOpen ? next : open],
        'those that wait': [is.waiting, isOpen ? later : expectedQueue(step)],
        'the ghosts': [
          is.ghosts,
          [...was.ghosts, ...(event.type === 'ghost.joined' ? [event.seat] : [])],
        ],
        'the asked': [is.asked, isOpen ? is.ghosts : was.asked],
        'the answers': [is.answers, isOpen ? {} : { ...was.answers, ...added }],
        'the turn': [is.turn, was.turn + Number(isSettled(step))],
        'the chat': [is.chat, [...was.chat, ...(line === null ? [] : [{ ...line, heard }])]],
        'whether the meeting is over': [is.over, was.over || event.type === 'meeting.over'],
        'what it was given': [
          [is.chance, is.budget, is.deadlineMs, is.messageTokens],
          [was.chance, was.budget, was.deadlineMs, was.messageTokens],
        ],
      });
    },
  },
  'a-turn-follows-a-glimpse': {
    sentence:
      'A turn begins as soon as a ghost can see something new, and ends with the last answer or its time. The gallery closes only after the meeting, once nothing waits.',
    holds: (step) => allHold({ 'the state': [step.after.at, expectedPlace(step)] }),
  },
  'the-gallery-closes': {
    sentence: 'After the meeting the gallery closes, whether ghosts answer or not.',
    kind: 'leads-to',
    from: ({ context }) => context.over,
    holds: ({ isDone }) => isDone,
    fair: [
      assumeComes('turn.ended'),
      {
        name: 'time runs out at last',
        helps: ({ at }, { type }) => at === 'talking' && type.startsWith('xstate.after.'),
      },
    ],
  },
  'the-gallery-is-never-stuck': {
    sentence: 'The gallery never gets stuck.',
    kind: 'deadlock-free',
  },
  'the-gallery-never-fails': {
    sentence: 'No error ends the gallery.',
    kind: 'never',
    holds: ({ status }) => status === 'error',
  },
});
