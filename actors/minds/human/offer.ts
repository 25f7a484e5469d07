/** The offer of a request: the form that a person is given, with the choices that the rules leave open now. */

import { findNames } from '../../../machines/rules/mentions.ts';
import type { ActionView } from '../../../machines/rules/ship/views.ts';
import type { GhostView, LivingView } from '../../../machines/rules/views.ts';
import type { TurnPrompt } from '../../../machines/turnPrompt.ts';
import { type Colour, type Note, SYSTEM, type Utterance } from '../../../machines/types.ts';
import { listSceneLines, writeIntent } from '../../../prompts/action.ts';
import { dateBrief, dateMemory, listSightings } from '../../../prompts/viewText.ts';
import type { MindRequest } from '../port.ts';
import { actionsFor } from './actions.ts';

export function offerFor(request: MindRequest): TurnPrompt {
  switch (request.occasion) {
    case 'action':
      return onTheShip(request.view);
    case 'ghost':
      return amongGhosts(request.view);
    default:
      return atTheTable(request.view);
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

function atTheTable({ you, table, reminder }: LivingView): TurnPrompt {
  const { occasion, tick, seats, votesOpen } = table;
  const { colour, role, partners, brief, ballot, pads } = you;
  const isTalk = occasion === 'discussion' || occasion === 'voting';
  const others = seats.flatMap((seat) =>
    seat.standing === 'living' && seat.colour !== colour ? [seat.colour] : [],
  );
  const canVote = isTalk && votesOpen && ballot === null;
  return {
    ...NOTHING,
    occasion,
    stamp: tick,
    you: { colour, role, partners, isDead: false },
    wanted: WANTED[occasion],
    news: [...sentences(you.notices), ...(reminder === null ? [] : [reminder])],
    seen: seenLines(brief, colour),
    talk: isTalk ? others : null,
    ballots: canVote ? [...others, 'skip'] : [],
    ballot,
    isNamed: isNamed(table.transcript, colour),
    notes: isTalk || occasion === 'reaction' ? meetingPage(pads) : mainPage(pads),
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

function amongGhosts({ you, occasion, turn, truth }: GhostView): TurnPrompt {
  const { colour, role, partners, brief, pads } = you;
  const isTalk = occasion === 'ghost';
  const impostors = truth.seats.filter((seat) => seat.role === 'impostor');
  return {
    ...NOTHING,
    occasion,
    stamp: turn,
    you: { colour, role, partners, isDead: true },
    wanted: WANTED[isTalk ? 'ghost' : occasion],
    news: [`Impostors: ${impostors.map((seat) => seat.colour).join(', ')}.`],
    seen: seenLines(brief, colour),
    talk: isTalk ? [] : null,
    notes: occasion === 'consolidation' ? mainPage(pads) : meetingPage(pads),
  };
}

function onTheShip(view: ActionView): TurnPrompt {
  const { you, round, scene } = view;
  const { colour, role, partners, isGhost, pads, memory, notices } = you;
  return {
    ...NOTHING,
    occasion: 'action',
    stamp: round,
    you: { colour, role, partners, isDead: isGhost },
    wanted: 'What do you do next?',
    news: [...sentences(notices), ...listSceneLines(view)],
    seen: bare(listSightings(dateMemory(memory, round), colour)),
    actions: actionsFor(view),
    goesOn: scene.intent === null ? null : writeIntent(scene.intent),
    notes: mainPage(pads),
  };
}

function seenLines({ sightings, notes }: LivingView['you']['brief'], you: Colour) {
  const lines = bare(listSightings(dateBrief(sightings), you));
  return notes === '' ? lines : [...lines, notes];
}

/** Without the dash of a list in a prompt. */
function bare(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/^- /, ''));
}

function sentences(notices: readonly Note[]): readonly string[] {
  return notices.map(({ text }) => text);
}

type Pads = LivingView['you']['pads'];

function meetingPage({ meeting }: Pads): TurnPrompt['notes'] {
  return { page: 'meeting_scratch', text: meeting };
}

function mainPage({ main }: Pads): TurnPrompt['notes'] {
  return { page: 'main_scratch', text: main };
}
