/** Meetings whose players follow rules that are known, so that it is known what decides them. */
import { expect } from 'vitest';
import { SimulatedClock } from '../../../actors/engine/clock.ts';
import { type Journal, readJournal } from '../../../actors/engine/journal/reader.ts';
import { beginJournal } from '../../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../../actors/engine/journal/sink.ts';
import { createMatch, startMatch } from '../../../actors/engine/match.ts';
import type { ModelMinds } from '../../../actors/minds/kinds.ts';
import type { LightMind, MindRequest } from '../../../actors/minds/port.ts';
import { WhatIf } from '../../../actors/replay/whatIf.ts';
import { readOutcome } from '../../../analysis/why/outcome.ts';
import { playHere } from '../../../analysis/why/plays.ts';
import { listQuestions, type Replacement, type Subject } from '../../../analysis/why/questions.ts';
import type { WhyAnswer } from '../../../analysis/why/result.ts';
import { answerQuestion, checkUnchanged } from '../../../analysis/why/why.ts';
import type { Intent } from '../../../machines/rules/ship/orders.ts';
import type { ActionView } from '../../../machines/rules/ship/views.ts';
import type { LivingView } from '../../../machines/rules/views.ts';
import { gameMatchSchema, type Match, meetingMatchSchema } from '../../../machines/setup/match.ts';
import type { Ballot, BySeat, Colour } from '../../../machines/types.ts';

export type PlantedMove = {
  readonly says?: string;
  readonly target?: Colour;
  readonly desire?: number;
  readonly votes?: Ballot | null;
};

export type Heard = readonly { readonly speaker: string; readonly message: string }[];
export type PlantedRule = (tick: number, heard: Heard) => PlantedMove;

export function saysAt(tick: number, says: string, rule: PlantedRule): PlantedRule {
  return (now, heard) => ({ ...rule(now, heard), ...(now === tick ? { says, desire: 9 } : {}) });
}

const VERDICT = 6;

function jury(judge: (words: string, heard: Heard) => Ballot): PlantedRule {
  return (tick, heard) => {
    if (tick < VERDICT) return {};
    return {
      votes: judge(heard.map(({ speaker, message }) => `${speaker}: ${message}`).join('\n'), heard),
    };
  };
}

/** Votes for Blue if all of some words were said, and others were not. */
export function juryOn(said: readonly string[], unsaid?: string): PlantedRule {
  return jury((words) => {
    const isSaid = said.every((text) => words.includes(text));
    return isSaid && (unsaid === undefined || !words.includes(unsaid)) ? 'blue' : 'skip';
  });
}

export const trusting = juryOn(['Blue vented']);

export function stubborn(ballot: Ballot): PlantedRule {
  return (tick) => (tick < VERDICT ? {} : { votes: ballot });
}

function plantMind(rule: PlantedRule): LightMind {
  return { pace: 'at-once', answer: (request) => ({ ok: true, received: moveOf(rule, request) }) };
}

function moveOf(rule: PlantedRule, { kind, index, view }: MindRequest) {
  if (kind !== 'discussion' && kind !== 'voting') return {};
  const { says = '', target = null, desire = 0, votes = null } = rule(index, view.table.transcript);
  return {
    internal_thought: '',
    desire_to_speak: desire,
    message: says,
    target,
    vote_action: view.you.ballot === null ? votes : null,
    scratchpad_updates: {},
  };
}

export function plantMinds(rules: BySeat<PlantedRule>): ModelMinds {
  return ({ colour }) => {
    const rule = rules[colour];
    return rule === undefined ? expect.unreachable(`no rule for ${colour}`) : plantMind(rule);
  };
}

/** A meeting of as many players as there are rules; the last of them is the impostor. */
function aMeeting(seats: readonly string[]): Match {
  return meetingMatchSchema.parse({
    name: 'planted',
    call: { by: seats[0] },
    seats: seats.map((colour, index) => ({
      colour,
      role: index === seats.length - 1 ? 'impostor' : 'crewmate',
      mind: 'module',
      module: './planted.js',
    })),
  });
}

async function playPlanted(match: Match, seed: number, models: ModelMinds): Promise<Journal> {
  const creation = createMatch(match, seed, models);
  if (!creation.ok) return expect.unreachable(JSON.stringify(creation.refusals));
  const sink = new MemorySink();
  const recorder = beginJournal(creation.ready.headers, { sink });
  await startMatch({ ...creation.ready, clock: new SimulatedClock(), recorder }).result;
  const journal = readJournal(sink.text);
  expect(journal.damages).toEqual([]);
  return journal;
}

export type PlantedRecord = {
  readonly journal: Journal;
  readonly record: WhatIf;
  readonly ask: (what: Subject, by?: Replacement) => Promise<Readonly<Record<string, WhyAnswer>>>;
};

/** Asked up to the end, of the minds that played, which answer alike each time. */
export const EXACT = {
  until: 'end',
  continued: 'minds',
  models: null,
  samples: 0,
  isStopped: () => false,
  findSamples: () => [],
} as const;

export async function askWhole(
  ...[question, asking]: Parameters<typeof answerQuestion>
): Promise<WhyAnswer> {
  const answer = await answerQuestion(question, asking);
  return answer ?? expect.unreachable('it was stopped');
}

export async function openPlanted(journal: Journal, models: ModelMinds): Promise<PlantedRecord> {
  const record = WhatIf.open(journal, { models: () => models, standIns: false });
  const was = readOutcome(journal.lines);
  return {
    journal,
    record,
    ask: async (what, by) => {
      const questions = listQuestions(journal.lines, [what], by ?? null);
      expect((await checkUnchanged(record, questions, true)).type).toBe('identical');
      const answers: Record<string, WhyAnswer> = {};
      for (const question of questions) {
        const answer = await askWhole(question, { ...EXACT, was, player: playHere(record) });
        answers[question.id.replace(`${what} `, '').replace(` ${question.by}`, '')] = answer;
      }
      return answers;
    },
  };
}

export async function plantMeeting(rules: BySeat<PlantedRule>, seed = 1): Promise<PlantedRecord> {
  const models = plantMinds(rules);
  return openPlanted(await playPlanted(aMeeting(Object.keys(rules)), seed, models), models);
}

export function ejections(answers: Readonly<Record<string, WhyAnswer>>) {
  return Object.fromEntries(
    Object.entries(answers).map(([place, { samples }]) => [place, samples[0]?.is.ejected ?? null]),
  );
}

export function pivotal(answers: Readonly<Record<string, WhyAnswer>>): readonly string[] {
  return Object.entries(answers).flatMap(([place, { effect }]) => {
    const { winner, ejected, ballots, reason, rounds } = effect;
    return winner + ejected + ballots + reason + Math.abs(rounds) > 0 ? [place] : [];
  });
}

/** A game whose players follow rules on the ship and at the table. */
export type PlantedGame = {
  readonly impostors: readonly Colour[];
  readonly crew: readonly Colour[];
  readonly acts: (seat: Colour, view: ActionView) => Intent;
  readonly talks: (seat: Colour, view: LivingView) => PlantedRule;
};

export async function plantKill({
  impostors,
  crew,
  acts,
  talks,
}: PlantedGame): Promise<PlantedRecord> {
  const models: ModelMinds = ({ colour }) => ({
    pace: 'at-once',
    answer: (request) => ({ ok: true, received: answerTo(colour, request) }),
  });
  const answerTo = (colour: Colour, request: MindRequest) => {
    if (request.kind === 'action') {
      const action = acts(colour, request.view);
      return { internal_thought: '', action, scratchpad_updates: {} };
    }
    if (request.kind !== 'discussion' && request.kind !== 'voting') return {};
    return moveOf(talks(colour, request.view), request);
  };
  const match = gameMatchSchema.parse({
    name: 'planted kill',
    seats: [...impostors, ...crew].map((colour) => ({
      colour,
      role: impostors.includes(colour) ? 'impostor' : 'crewmate',
      mind: 'module',
      module: './planted.js',
    })),
    options: { impostors: impostors.length, kill_cooldown: 10, max_rounds: 60 },
  });
  return openPlanted(await playPlanted(match, 1, models), models);
}

const WAIT: Intent = { type: 'wait', rounds: 1 };
const believer = jury((words) => (words.includes('Red killed') ? 'red' : 'skip'));
const accuser = saysAt(0, 'Red killed in front of me.', believer);

/** Kills the first of some victims who is there, as soon as it is allowed. */
function killOneOf(victims: readonly Colour[], { scene }: ActionView): Intent {
  const whom = victims.find((victim) => scene.company.includes(victim));
  return scene.killWait === 0 && whom !== undefined ? { type: 'kill', whom } : WAIT;
}

function reportBody({ scene }: ActionView): Intent {
  const [body] = scene.bodies;
  return body === undefined ? WAIT : { type: 'report', body: body.victim };
}

/**
 * In the cafeteria Red kills Blue, then Green, then Pink. All see it, and only Green reports it. Then everyone
 * votes for the player she names.
 */
export const FIVE: PlantedGame = {
  impostors: ['red'],
  crew: ['blue', 'green', 'pink', 'orange'],
  acts: (seat, view) => {
    if (seat === 'red') return killOneOf(['blue', 'green', 'pink'], view);
    const hasSeen = view.you.memory.some(({ did }) => did === 'kill');
    return seat === 'green' && hasSeen ? reportBody(view) : WAIT;
  },
  talks: (seat) => (seat === 'green' ? accuser : believer),
};

/** Red kills until he is ejected, and Orange reports each time. Green has seen all of it and speaks of what she saw in the second meeting only. */
export const SEVEN: PlantedGame = {
  impostors: ['red', 'yellow'],
  crew: ['blue', 'green', 'pink', 'orange', 'white'],
  acts: (seat, view) => {
    if (seat === 'red') return killOneOf(['blue', 'pink', 'white'], view);
    return seat === 'orange' ? reportBody(view) : WAIT;
  },
  talks: (seat, { you }) => {
    const hasSeen = you.brief.sightings.some(({ did, who }) => did === 'kill' && who === 'red');
    return seat === 'green' && hasSeen && you.past.votes.length > 0 ? accuser : believer;
  },
};

/** Red walked from the cafeteria to Admin and says otherwise. A player who is not in Reactor is voted for. */
export const WALK: PlantedGame = {
  impostors: ['red'],
  crew: ['blue', 'green', 'pink', 'orange'],
  acts: (seat, { round, scene }) => {
    if (seat === 'red') return scene.place === 'Admin' ? WAIT : { type: 'go', to: 'Admin' };
    return seat === 'blue' && round >= 12 && scene.buttonWait === 0 ? { type: 'button' } : WAIT;
  },
  talks: (seat) => {
    const trusting = jury((words) => (words.includes('I was in Reactor') ? 'skip' : 'red'));
    return seat === 'red' ? saysAt(0, 'I was in Reactor.', trusting) : trusting;
  },
};
