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
import { gameMatchSchema, type Match, meetingMatchSchema } from '../../../machines/setup/match.ts';
import type { Ballot, BySeat, Colour } from '../../../machines/types.ts';

/** What a player does in a tick of talk. */
export type PlantedMove = {
  readonly says?: string;
  readonly target?: Colour;
  readonly desire?: number;
  readonly votes?: Ballot | null;
};

/** What a player hears: the words so far, each with who said them. */
export type Heard = readonly { readonly speaker: string; readonly message: string }[];

/** A rule of a player: what they do in a tick, after what they have heard. */
export type PlantedRule = (tick: number, heard: Heard) => PlantedMove;

/** Says something in one tick, and nothing else; votes at the end as the jury does. */
export function saysAt(tick: number, says: string, rule: PlantedRule): PlantedRule {
  return (now, heard) => ({ ...rule(now, heard), ...(now === tick ? { says, desire: 9 } : {}) });
}

/** The tick in which everyone votes. */
const VERDICT = 6;

/** Votes in the last tick, for whom the words that were heard speak. */
export function jury(judge: (words: string, heard: Heard) => Ballot): PlantedRule {
  return (tick, heard) => {
    if (tick < VERDICT) return {};
    return {
      votes: judge(heard.map(({ speaker, message }) => `${speaker}: ${message}`).join('\n'), heard),
    };
  };
}

/** Always the same vote in the last tick. */
export function stubborn(ballot: Ballot): PlantedRule {
  return (tick) => (tick < VERDICT ? {} : { votes: ballot });
}

/** A mind that follows a rule at the table. */
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

/** Plays a match to its end, in simulated time. */
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
export const EXACT = { until: 'end', continued: 'minds', models: null, samples: 0 } as const;

/** A played match and its answers, by the place of what is asked about: "1:0 red". */
export async function openPlanted(journal: Journal, models: ModelMinds): Promise<PlantedRecord> {
  const record = WhatIf.open(journal, { models: () => models, standIns: false });
  if (record.type === 'unplayable') return expect.unreachable(record.text);
  const was = readOutcome(journal.lines);
  return {
    journal,
    record,
    ask: async (what, by) => {
      const questions = listQuestions(journal.lines, [what], by ?? null);
      const nothing = await checkUnchanged(record, questions, true);
      expect(nothing.type).toBe('identical');
      const answers: Record<string, WhyAnswer> = {};
      for (const question of questions) {
        const answer = await answerQuestion(question, { ...EXACT, was, player: playHere(record) });
        answers[question.id.replace(`${what} `, '').replace(` ${question.by}`, '')] = answer;
      }
      return answers;
    },
  };
}

/** Holds a meeting of players with these rules. */
export async function plantMeeting(rules: BySeat<PlantedRule>, seed = 1): Promise<PlantedRecord> {
  const models = plantMinds(rules);
  return openPlanted(await playPlanted(aMeeting(Object.keys(rules)), seed, models), models);
}

/** Who is ejected without each thing that was asked about. */
export function ejections(answers: Readonly<Record<string, WhyAnswer>>) {
  return Object.fromEntries(
    Object.entries(answers).map(([place, { samples }]) => [place, samples[0]?.is.ejected ?? null]),
  );
}

/** The places of what changes anything at all. */
export function pivotal(answers: Readonly<Record<string, WhyAnswer>>): readonly string[] {
  return Object.entries(answers).flatMap(([place, { effect }]) => {
    const { winner, ejected, ballots, reason, rounds } = effect;
    return winner + ejected + ballots + reason + Math.abs(rounds) > 0 ? [place] : [];
  });
}

/**
 * A game in the cafeteria: Red kills Blue, then Green, then Pink, as soon as he may. All see it, and only Green reports what
 * she has seen; then everyone votes for whom she names.
 */
export async function plantKill(): Promise<PlantedRecord> {
  const models: ModelMinds = ({ colour }) => ({
    pace: 'at-once',
    answer: (request) => ({
      ok: true,
      received:
        request.kind === 'action'
          ? { internal_thought: '', action: actOf(colour, request.view), scratchpad_updates: {} }
          : moveOf(colour === 'green' ? accuser : believer, request),
    }),
  });
  const match = gameMatchSchema.parse({
    name: 'planted kill',
    seats: ['red', 'blue', 'green', 'pink', 'orange'].map((colour) => ({
      colour,
      role: colour === 'red' ? 'impostor' : 'crewmate',
      mind: 'module',
      module: './planted.js',
    })),
    options: { impostors: 1, kill_cooldown: 10, max_rounds: 60 },
  });
  return openPlanted(await playPlanted(match, 1, models), models);
}

const VICTIMS: readonly Colour[] = ['blue', 'green', 'pink'];

function actOf(colour: Colour, { you, scene }: ActionView): Intent {
  const wait = { type: 'wait', rounds: 1 } as const;
  if (colour === 'red') {
    const whom = VICTIMS.find((victim) => scene.company.includes(victim));
    return scene.killWait === 0 && whom !== undefined ? { type: 'kill', whom } : wait;
  }
  const [body] = scene.bodies;
  const hasSeen = you.memory.some(({ did }) => did === 'kill');
  return colour === 'green' && hasSeen && body !== undefined
    ? { type: 'report', body: body.victim }
    : wait;
}

const believer = jury((words) => (words.includes('Red killed') ? 'red' : 'skip'));
const accuser = saysAt(0, 'Red killed in front of me.', believer);
