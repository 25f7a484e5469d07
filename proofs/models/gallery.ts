/**
 * The gallery by itself: two ghosts at most, two turns, every answer, late ones too, and any time for its events. And
 * the session around it, whose children only end: their own searches prove that they do not fail, and that the gallery
 * outlasts the meeting.
 */
import type { Model, State } from 'glass-box-checker';
import type { GalleryContext, GalleryInput } from '../../machines/charts/gallery.ts';
import type { MeetingOutput } from '../../machines/charts/meeting.ts';
import {
  type MeetingSessionInput,
  meetingSessionMachine,
} from '../../machines/charts/meetingSession.ts';
import type { ToGallery } from '../../machines/messages.ts';
import { layTable, toMeetingRecord } from '../../machines/rules/meeting.ts';
import { fullTruth } from '../../machines/rules/views.ts';
import type { Bid, BySeat, Colour, Die } from '../../machines/types.ts';
import { galleryProperties } from '../properties/gallery.ts';
import {
  type SessionContext,
  type SessionEvent,
  sessionProperties,
} from '../properties/session.ts';
import { faultOf, replyOf } from './closings.ts';
import { emittingMachines } from './meetingSystem.ts';
import { smallMeeting } from './secrets.ts';

const { setting, players, ghostBudget } = smallMeeting();
const [DEAD, EJECTED] = ['pink', 'blue'] as const satisfies readonly Colour[];
const GHOSTS = [EJECTED, DEAD] as const;
const TURNS = 2;

export function createGalleryModel(
  machine = emittingMachines.gallery,
): Model<GalleryContext, ToGallery> {
  const { chance, options } = setting;
  const { deadlineMs, messageTokens } = options;
  return {
    name: 'the gallery empty at first, with a turn of talk',
    machine,
    input: { ghosts: [], budget: 1, chance, deadlineMs, messageTokens } satisfies GalleryInput,
    world: listGalleryEvents,
    properties: galleryProperties,
  };
}

const OCCASIONS = ['ghost', 'reaction', 'consolidation'] as const;

/** The meeting sends nothing after its end. */
function listGalleryEvents({ at, context }: State<GalleryContext>): readonly ToGallery[] {
  const { turn, waiting, glimpse, ghosts, answers, over } = context;
  const hasRoom = turn + waiting.length + Number(glimpse !== null) < TURNS;
  const seen = OCCASIONS.map((requestKind): ToGallery => {
    return { type: 'table.changed', requestKind, truth: TRUTH, transcript: [] };
  });
  const joining = GHOSTS.filter((seat) => !ghosts.includes(seat));
  const silent = ghosts.filter((ghost) => answers[ghost] === undefined);
  return [
    ...(over ? [] : [{ type: 'meeting.over' } as const, ...(hasRoom ? seen : [])]),
    ...(over ? [] : joining.map((seat): ToGallery => ({ type: 'ghost.joined', seat }))),
    ...silent.flatMap((ghost) => [
      ...listBids(ghost).map((bid): ToGallery => ({ type: 'ghost.answered', turn, bid })),
      { type: 'ghost.answered', turn: turn + 1, bid: faultOf(ghost, 'mind/late') } as const,
    ]),
    { type: 'time.called', turn },
    { type: 'time.called', turn: turn + 1 },
    ...(at === 'settling' ? DICE.map((dice): ToGallery => ({ type: 'turn.ended', dice })) : []),
  ];
}

const TRUTH = fullTruth({
  ...layTable(setting),
  ballots: { blue: 'skip' },
  poll: { ballots: { blue: 'skip' }, void: [], missed: [], deserted: false },
  revealed: 1,
  outcome: 'ejected',
  ejected: EJECTED,
  remaining: 1,
});

function listBids(seat: Colour): readonly Bid[] {
  return [
    replyOf(seat, { desire: 5, message: ' boo ', pads: { main: 'kept' } }),
    replyOf(seat, { desire: 9 }),
    faultOf(seat, 'mind/failed'),
  ];
}

const DICE: readonly BySeat<Die>[] = [
  { [EJECTED]: { face: 1, draw: 2 }, [DEAD]: { face: 6, draw: 1 } },
  { [EJECTED]: { face: 3, draw: 2 }, [DEAD]: { face: 3, draw: 1 } },
];

export const SESSIONS: Readonly<Record<string, MeetingSessionInput>> = {
  'on its own, with a gallery': { setting, players, ghostBudget },
  'with a gallery, after a departure': {
    ...{ setting: { ...setting, standings: { ...setting.standings, [EJECTED]: 'departed' } } },
    ...{ players, ghostBudget },
  },
  'within a game, whose players sit already, without a gallery': {
    ...{ setting, players: [], ghostBudget: null },
  },
};

export function createSessionModel(
  [about, input]: readonly [about: string, input: MeetingSessionInput],
  machine = meetingSessionMachine,
): Model<SessionContext, SessionEvent> {
  return {
    name: `the session ${about}`,
    machine,
    input,
    world: ({ at }) =>
      at === 'meeting'
        ? RESULTS.map((output) => ({ type: 'xstate.done.actor.meeting', output }))
        : [{ type: 'xstate.done.actor.gallery' }],
    properties: sessionProperties,
  };
}

const { standings } = setting;
const held = toMeetingRecord(layTable(setting));
const RESULTS: readonly MeetingOutput[] = [
  { outcome: 'skipped', ejected: null, standings, held },
  { outcome: 'ejected', ejected: EJECTED, standings: { ...standings, [EJECTED]: 'dead' }, held },
];
