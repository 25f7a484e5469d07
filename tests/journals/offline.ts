import { readFileSync } from 'node:fs';
import { withBeliefs } from '../../actors/engine/beliefs.ts';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { readMatch } from '../../actors/engine/configFile.ts';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { beginJournal } from '../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { type MeetingResult, type RunningMatch, startMatch } from '../../actors/engine/match.ts';
import { openEnvironment } from '../../actors/environment.ts';
import {
  createBeliefSettings,
  createBelievers,
  type OutsideBelievers,
} from '../../actors/minds/believers.ts';
import { HumanMind } from '../../actors/minds/human/humanMind.ts';
import { silentMind } from '../../actors/minds/kinds.ts';
import type { Answer, Mind, MindRequest } from '../../actors/minds/port.ts';
import { createScriptedMind } from '../../actors/minds/scripted/mind.ts';
import {
  changeMinds,
  continueMatch,
  cutBefore,
  type ReplayMoment,
} from '../../actors/replay/continue.ts';
import { mapSeats } from '../../machines/rules/seats.ts';
import {
  type GameMatchInput,
  gameMatchSchema,
  type Match,
  type MeetingMatchInput,
  meetingMatchSchema,
} from '../../machines/setup/match.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import type { TurnPrompt } from '../../machines/turnPrompt.ts';
import { type BeliefTimes, COLOURS, type Colour } from '../../machines/types.ts';
import { gossip, HABITS } from '../actors/laws/gossip.ts';
import { aMind, aTable, FAULT, following, LEAVE } from '../actors/laws/meetings.ts';
import { disturbed, turmoil } from '../actors/laws/turmoil.ts';
import { readyMatch } from '../support/matches.ts';
import { replyLegally } from '../support/policy.ts';

type Recast = (mind: Mind, seat: Colour) => Mind;

type Way = {
  readonly beliefs?: BeliefTimes;
  readonly recast?: Recast;
  readonly begun?: (match: RunningMatch, clock: SimulatedClock) => void;
  readonly believers?: OutsideBelievers;
  readonly person?: (clock: SimulatedClock, seat: Colour) => Mind;
  readonly clock?: SimulatedClock;
  readonly isTimed?: boolean;
};

export async function play(match: Match, seed: number, way: Way = {}): Promise<string> {
  const { clock = new SimulatedClock(), recast = (mind) => mind, person } = way;
  const models =
    person === undefined ? null : (seat: { readonly colour: Colour }) => person(clock, seat.colour);
  const ready = readyMatch(match, seed, models);
  const minds = mapSeats(ready.minds, recast);
  const sink = new MemorySink();
  const beliefs = createBeliefSettings(way.beliefs ?? null, match, seed, way.believers ?? null);
  const time = way.isTimed === true ? { now: () => clock.elapsed } : null;
  const recorder = beginJournal(withBeliefs(ready.headers, beliefs), { sink, time });
  const running = startMatch({ ...ready, minds, clock, recorder, beliefs });
  way.begun?.(running, clock);
  await running.result;
  return sink.text;
}

/** A match of five with one outside seat. */
export async function playOutside(rest: string): Promise<string> {
  const written = { name: 'Nils', temperament: 'sceptic', language: 'German' };
  const config = [
    'name: A seat from outside',
    rest,
    'seats:',
    `  - { colour: red, persona: ${JSON.stringify(written)}, mind: outside }`,
    ...['blue, role: impostor', 'green', 'pink', 'orange'].map(
      (seat) => `  - { colour: ${rest.startsWith('call') ? seat : seat.split(',')[0]} }`,
    ),
  ].join('\n');
  const environment = openEnvironment({ config, seed: 5 });
  let state = await environment.reset();
  while (!state.terminated && !state.truncated) {
    const observation = environment.observe('red');
    if (observation === null) throw new Error('expected a question to red');
    await environment.step('red', replyLegally(observation, 5));
    state = environment.state();
  }
  return environment.journal();
}

type Stop = {
  readonly how: 'stop' | 'end';
  readonly kind: MindRequest['kind'];
  readonly index: number;
};

export async function playStopped(
  match: Match,
  seed: number,
  { how, kind, index }: Stop,
): Promise<string> {
  let running: RunningMatch | null = null;
  return await play(match, seed, {
    begun: (started) => {
      running = started;
    },
    recast: (mind) => ({
      pace: 'in-time',
      answer: async (request, signal, keepTime) => {
        if (request.kind === kind && request.index >= index) running?.[how]();
        return await mind.answer(request, signal, keepTime);
      },
    }),
  });
}

export function readExample(name: string): Match {
  const text = readFileSync(new URL(`../../examples/${name}.yaml`, import.meta.url), 'utf8');
  const reading = readMatch(text);
  if (!reading.ok) throw new Error(`examples/${name}.yaml does not read`);
  return reading.value;
}

export const aMeeting = (match: MeetingMatchInput): Match => meetingMatchSchema.parse(match);
export const aGame = (match: GameMatchInput): Match => gameMatchSchema.parse(match);

/** A table of gossips, disturbed from outside, by the seed. */
export async function playTurmoil(seed: number): Promise<string> {
  const clock = new SimulatedClock();
  const { recast, begun } = disturbed(seed, clock);
  return await play(turmoil(seed), seed, {
    clock,
    isTimed: true,
    ...(recast === undefined ? {} : { recast }),
    begun: (match) => {
      const { leave } = match;
      const result = new Promise<MeetingResult>(() => {});
      if (leave !== undefined) begun?.({ ...match, leave, result });
    },
  });
}

export function gossiping(seed: number): Recast {
  const gossips = following((seat, request) =>
    request.kind === 'action' ? null : gossip(seed, HABITS)(seat, request),
  );
  return (mind, seat) => gossips(mind, seat);
}

export function stumbling(seed: number): Recast {
  const wild = following((seat, request) => {
    const lot = (seed * 31 + request.index * 7 + COLOURS.indexOf(seat) * 13) % 97;
    if (lot < 4) return FAULT;
    if (lot === 5 && request.index > 20) return LEAVE;
    return null;
  });
  return (mind, seat) => wild(mind, seat);
}

const ORDERS = [
  { type: 'follow', whom: 'blue', rounds: 3 },
  { type: 'fake', task: 'submit-scan' },
  { type: 'task', task: 'divert-o2' },
  { type: 'vent', to: 3 },
  { type: 'surface' },
  { type: 'fix', at: 'Reactor' },
  { type: 'report', body: 'green' },
  { type: 'watch', what: 'cameras', rounds: 2 },
  { type: 'watch', what: 'admin', rounds: 2 },
  { type: 'shut', room: 'Electrical' },
  { type: 'sabotage', system: 'comms' },
  { type: 'sabotage', system: 'lights' },
  { type: 'sabotage', system: 'o2' },
  { type: 'sabotage', system: 'reactor' },
  { type: 'kill', whom: 'red' },
  { type: 'go', to: 'Admin' },
  { type: 'button' },
  { type: 'wait', rounds: 900 },
  null,
  'rubbish',
];

/**
 * Every other order is one of all kinds in turn, which mostly can't be done where it is given; some lack fields, and some
 * have too many.
 */
export function ordering(): Recast {
  let count = 0;
  return (mind) => ({
    pace: 'at-once',
    answer: (request) => {
      count += 1;
      if (request.kind !== 'action' || count % 2 === 0) {
        return mind.pace === 'at-once' ? mind.answer(request) : FAULT;
      }
      const turn = (count - 1) / 2;
      const action = ORDERS[turn % ORDERS.length];
      const order = { internal_thought: 'Any of them.', action };
      const pads = { meeting_scratch: `order ${turn}` };
      const received = [
        { ...order, scratchpad_updates: {} },
        { ...order, scratchpad_updates: pads },
        order,
        { ...order, scratchpad_updates: pads, mood: 'odd' },
      ];
      return { ok: true, received: received[Math.floor(turn / ORDERS.length) % received.length] };
    },
  });
}

/** Beliefs of models that say too little, too much, or nothing at all, in turn. */
export function believeOddly(): OutsideBelievers {
  let count = 0;
  return ({ mind }) => ({
    pace: 'at-once',
    believe: ({ about }) => {
      count += 1;
      const [first = 'red', ...others] = about;
      const odd: readonly Answer[] = [
        { ok: true, received: { probabilities: { [first]: 0.25 } } },
        {
          ok: true,
          received: {
            probabilities: { [first]: 7, [others[0] ?? 'blue']: '40%' },
            why: 'a feeling',
          },
        },
        { ok: true, received: 'Red, I think.' },
        { ok: false, code: 'mind/late', text: 'no answer came in time' },
      ];
      return {
        source: mind === 'openai' ? 'model' : 'own',
        answer: odd[count % odd.length] ?? FAULT,
      };
    },
  });
}

const PATIENCE_MS = 1000;

export function person(clock: SimulatedClock, seat: Colour): Mind {
  const desk = new HumanMind({
    seat,
    waits: { table: PATIENCE_MS, ship: PATIENCE_MS },
    graceMs: 5000,
    now: () => clock.elapsed,
    clock,
  });
  let answered = 0;
  desk.watch(() => {
    const { asked } = desk.seating;
    if (asked === null || asked.id <= answered) return;
    answered = asked.id;
    const answer = answerAs(asked.offer);
    if (answer !== null) desk.answer(asked.id, answer);
  });
  desk.come();
  return desk.mind;
}

export function standIn(_clock: SimulatedClock, seat: Colour): Mind {
  return createScriptedMind(1, seat, 'sceptic');
}

function answerAs(offer: TurnPrompt): object | null {
  if (offer.index % 11 === 7) return null;
  if (offer.kind === 'action') {
    return {
      action: offer.actions[(offer.index * 7) % Math.max(1, offer.actions.length)]?.action ?? null,
    };
  }
  if (offer.talk === null) return { scratchpad_updates: { [offer.notes.page]: 'noted' } };
  return {
    message: offer.index % 3 === 0 ? 'Where was everybody?' : '',
    desire_to_speak: 7,
    vote_action: offer.index > 4 ? (offer.ballots[0] ?? null) : null,
  };
}

export function tearOff(text: string, share: number): string {
  return text.slice(0, Math.floor(text.length * share));
}

/** Continues a torn journal with the same minds, including those with beliefs. */
export async function resumeText(torn: string): Promise<string> {
  const journal = readJournal(torn);
  const kept = torn.split('\n').slice(0, journal.lines.length).join('\n');
  return await goOn(`${kept}\n`, journal);
}

/** A journal that goes on from a moment with another mind in a seat, or with other words. */
export async function forkText(
  text: string,
  moment: ReplayMoment,
  change: { readonly seat: Colour; readonly say?: string },
): Promise<string> {
  const journal = readJournal(text);
  const past = cutBefore(journal, moment);
  if (past === null) throw new Error('there is no such moment');
  const kept = text.split('\n').slice(0, past.lines.length).join('\n');
  const { seat, say } = change;
  const other = aMind(({ index }) => ({
    message: 'I am another one.',
    desire_to_speak: 9,
    vote_action: index > 6 ? 'skip' : null,
  }));
  const changes =
    say === undefined
      ? { others: { [seat]: other }, say: {} }
      : { others: {}, say: { [seat]: say } };
  return await goOn(`${kept}\n`, past, (minds) => changeMinds(minds, changes));
}

async function goOn(
  kept: string,
  past: ReturnType<typeof readJournal>,
  successors: Parameters<typeof continueMatch>[1]['successors'] = (minds) => minds,
): Promise<string> {
  const sink = new MemorySink();
  const [header] = past.lines;
  if (header?.type !== 'match.opened') throw new Error('expected a header');
  const believers = createBelievers(header.match.seats, header.seed, null);
  const onward = continueMatch(past, { sink, models: () => silentMind, successors, believers });
  const { difference } = await onward.result;
  if (difference !== null) throw new Error(`line ${difference.line} differs`);
  return kept + sink.text;
}

export { aTable, plainGame };
