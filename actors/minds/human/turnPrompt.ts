/** The prompt of a person's turn: a form with the choices that the rules leave open now. */
import { findNames } from '../../../machines/rules/mentions.ts';
import type { IntentType } from '../../../machines/rules/ship/orders.ts';
import type { ActionView } from '../../../machines/rules/ship/views.ts';
import type { GhostView, LivingView } from '../../../machines/rules/views.ts';
import type { OfferedAction, TurnPrompt } from '../../../machines/turnPrompt.ts';
import { type Colour, type Note, SYSTEM, type Utterance } from '../../../machines/types.ts';
import {
  type ActionChoice,
  listChoices,
  listSceneLines,
  writeIntent,
  writeKnownLiving,
} from '../../../prompts/action.ts';
import { dateBrief, dateMemory, listSightings } from '../../../prompts/viewText.ts';
import type { MindRequest } from '../port.ts';

const DOES: Readonly<Record<IntentType, string>> = {
  kill: 'Kill',
  report: 'Report the body of',
  fix: 'Repair',
  task: 'Do a task',
  vent: 'Use the vent',
  surface: 'Climb out',
  sabotage: 'Sabotage',
  shut: 'Shut the doors of',
  fake: 'Pretend a task',
  go: 'Go to',
  follow: 'Follow',
  watch: 'Watch',
  button: 'Emergency button',
  wait: 'Wait',
};

/** Rounds that a person can choose to wait. */
const WAITS = [
  { rounds: 2, what: '5 s' },
  { rounds: 8, what: '20 s' },
] as const;

function listActions(view: ActionView): readonly OfferedAction[] {
  return listChoices(view).flatMap((choice) => listOffered(choice, view));
}

function listOffered(choice: ActionChoice, view: ActionView): readonly OfferedAction[] {
  const type = choice.actions[0]?.type;
  if (type === undefined || !isPossible(type, view)) return [];
  const does = DOES[type];
  switch (type) {
    case 'go':
      return listPlaces(view).map((to) => ({ does, what: to, hint: '', action: { type, to } }));
    case 'wait':
      return WAITS.map(({ rounds, what }) => ({ does, what, hint: '', action: { type, rounds } }));
    case 'task':
    case 'fake':
    case 'vent':
      return choice.actions.map((action) => ({ does, what: choice.meaning, hint: '', action }));
    case 'fix':
      return choice.actions.map((action) => ({
        does,
        what: `${view.scene.crisis?.system ?? 'it'} in ${action['to']}`,
        hint: '',
        action,
      }));
    case 'watch':
      return choice.actions.map((action) => ({
        does,
        what: action['what'] === 'admin' ? 'the Admin table' : 'the cameras',
        hint: choice.meaning,
        action,
      }));
    case 'button':
      return choice.actions.map((action) => ({ does, what: '', hint: choice.meaning, action }));
    default:
      return choice.actions.map((action, index) => ({
        does,
        what: choice.names[index] ?? String(action['whom'] ?? ''),
        hint: '',
        action,
      }));
  }
}

/** An action that becomes possible later is no choice yet. */
function isPossible(type: IntentType, { scene }: ActionView): boolean {
  switch (type) {
    case 'kill':
      return scene.killWait === 0;
    case 'sabotage':
      return scene.sabotageWait === 0;
    case 'button':
      return scene.crisis === null;
    default:
      return true;
  }
}

/** Every place of the map, rooms before hallways, without the one where the player stands. */
function listPlaces({ map, scene }: ActionView): readonly string[] {
  const isHall = (place: string) => place.endsWith('hallway');
  return map.places
    .filter((place) => place !== scene.place)
    .toSorted((one, other) => Number(isHall(one)) - Number(isHall(other)));
}

export function buildTurnPrompt(request: MindRequest): TurnPrompt {
  switch (request.kind) {
    case 'action':
      return promptOnShip(request.view);
    case 'ghost':
      return promptGhost(request.view);
    default:
      return promptAtTable(request.view);
  }
}

/** Nothing is offered but what the occasion adds. */
const NOTHING = {
  talk: null,
  ballots: [],
  ballot: null,
  isNamed: false,
  actions: [],
  goesOn: null,
} satisfies Partial<TurnPrompt>;

function promptAtTable({ you, table, reminder }: LivingView): TurnPrompt {
  const { requestKind, tick, seats, votesOpen } = table;
  const { colour, role, partners, brief, ballot, pads } = you;
  const isTalk = requestKind === 'discussion' || requestKind === 'voting';
  const others = seats.flatMap((seat) =>
    seat.standing === 'living' && seat.colour !== colour ? [seat.colour] : [],
  );
  const canVote = isTalk && votesOpen && ballot === null;
  return {
    ...NOTHING,
    kind: requestKind,
    index: tick,
    you: { colour, role, partners, isDead: false },
    wanted: WANTED[requestKind],
    news: [...listNotices(you.notices), ...(reminder === null ? [] : [reminder])],
    seen: listSeen(brief, colour),
    talk: isTalk ? others : null,
    ballots: canVote ? [...others, 'skip'] : [],
    ballot,
    isNamed: isNamed(table.transcript, colour),
    notes: isTalk || requestKind === 'reaction' ? openMeetingPage(pads) : openMainPage(pads),
  };
}

const WANTED = {
  discussion: 'Do you want the floor?',
  voting: 'Vote before the time is up. A missed vote is not a skip.',
  reaction: 'The result is known. Nobody speaks; you may note what you make of it.',
  consolidation: 'The meeting is over and its notes are erased. Keep what matters.',
  ghost: 'You are dead. The other ghosts hear you, the living don’t.',
} as const;

/** Speech about oneself is of no concern. */
function isNamed(transcript: readonly Utterance[], you: Colour): boolean {
  const last = transcript.at(-1);
  if (last === undefined || last.speaker === you) return false;
  const names = findNames(last.message).map(({ seat }) => seat);
  return last.speaker === SYSTEM || last.target === you || names.includes(you);
}

function promptGhost({ you, requestKind, turn, truth }: GhostView): TurnPrompt {
  const { colour, role, partners, brief, pads } = you;
  const isTalk = requestKind === 'ghost';
  const impostors = truth.seats.filter((seat) => seat.role === 'impostor');
  return {
    ...NOTHING,
    kind: requestKind,
    index: turn,
    you: { colour, role, partners, isDead: true },
    wanted: WANTED[isTalk ? 'ghost' : requestKind],
    news: [`Impostors: ${impostors.map((seat) => seat.colour).join(', ')}.`],
    seen: listSeen(brief, colour),
    talk: isTalk ? [] : null,
    notes: requestKind === 'consolidation' ? openMainPage(pads) : openMeetingPage(pads),
  };
}

function promptOnShip(view: ActionView): TurnPrompt {
  const { you, round, scene } = view;
  const { colour, role, partners, isGhost, pads, memory, notices } = you;
  return {
    ...NOTHING,
    kind: 'action',
    index: round,
    you: { colour, role, partners, isDead: isGhost },
    wanted: 'What do you do next?',
    news: [...listNotices(notices), ...listSceneLines(view), writeKnownLiving(view)],
    seen: stripDashes(listSightings(dateMemory(memory, round), colour)),
    actions: listActions(view),
    goesOn: scene.intent === null ? null : writeIntent(scene.intent),
    notes: openMainPage(pads),
  };
}

function listSeen({ sightings, notes }: LivingView['you']['brief'], you: Colour) {
  const lines = stripDashes(listSightings(dateBrief(sightings), you));
  return notes === '' ? lines : [...lines, notes];
}

/** Without the dash of a list in a prompt. */
function stripDashes(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/^- /, ''));
}

function listNotices(notices: readonly Note[]): readonly string[] {
  return notices.map(({ text }) => text);
}

type PadTexts = LivingView['you']['pads'];

function openMeetingPage({ meeting }: PadTexts): TurnPrompt['notes'] {
  return { page: 'meeting_scratch', text: meeting };
}

function openMainPage({ main }: PadTexts): TurnPrompt['notes'] {
  return { page: 'main_scratch', text: main };
}
