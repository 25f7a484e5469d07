/** Plays matches with the real actors, whose minds are slow, fail and leave, and computes again what the engine did. */
import { isDeepStrictEqual } from 'node:util';
import { BeliefInquiry, withBeliefs } from '../../actors/engine/beliefs.ts';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { beginJournal } from '../../actors/engine/journal/recorder.ts';
import { createMatch, startMatch } from '../../actors/engine/match.ts';
import type { GatheredAnswers } from '../../actors/engine/runContext.ts';
import { createBeliefSettings } from '../../actors/minds/believers.ts';
import type { Answer, Mind, MindRequest } from '../../actors/minds/port.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { drawWords, type Stream } from '../../machines/rules/dice.ts';
import { mapSeats } from '../../machines/rules/seats.ts';
import { gameMatchSchema, type Match, meetingMatchSchema } from '../../machines/setup/match.ts';
import { isRecord } from '../../machines/text.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';

/** A consulted mind, with the code of the fault that its answer is. Times are in simulated milliseconds. */
type Consulted = Pick<MindRequest, 'kind' | 'index'> & {
  readonly seat: Colour;
  readonly meeting: number;
  readonly asked: number;
  readonly answered: number;
  readonly fault: string | null;
  readonly received: unknown;
};

const SEED = 4;
const DEADLINE_MS = 1000;
const VOTES_AT = 4;
const [MUTE, LEAVER, VOTE] = ['blue', 'green', 'orange'] as const satisfies readonly Colour[];

const OPTIONS = { deadline_ms: DEADLINE_MS, max_ticks: 8 };
const SEATS = COLOURS.slice(0, 7).map((colour) => ({ colour }));
const MATCHES: readonly Match[] = [
  meetingMatchSchema.parse({
    name: 'a meeting in which all are called on at once',
    call: { by: 'red' },
    options: { ...OPTIONS, weights: { silence: { slope: 30, grace: 0 } } },
    seats: SEATS.map((seat, at) => {
      return { ...seat, role: at === 1 ? 'impostor' : 'crewmate', dead: at > 4 };
    }),
  }),
  gameMatchSchema.parse({
    name: 'a game',
    seats: SEATS.slice(0, 6),
    options: { ...OPTIONS, max_rounds: 60, round_deadline_ms: DEADLINE_MS, kill_cooldown: 10 },
  }),
];

/** What foreign minds may do, and the fault that it is. */
const ODD: readonly (readonly [give: () => Answer, fault: string])[] = [
  [() => JSON.parse('null'), 'mind/no-answer'],
  [() => JSON.parse('{"ok": false, "code": "No Code"}'), 'mind/failed'],
  [() => ({ ok: false, code: 'mind/tired', text: '' }), 'mind/tired'],
  [() => ({ ok: true, received: () => 0 }), 'reply/not-json'],
  [() => JSON.parse(''), 'mind/threw'],
];

async function watch(match: Match, Inquiry: typeof BeliefInquiry) {
  const creation = createMatch(match, SEED);
  if (!creation.ok) throw new Error(creation.refusals.map(({ text }) => text).join('\n'));
  const { ready } = creation;
  const clock = new SimulatedClock();
  const consulted: Consulted[] = [];
  const lines: Line[] = [];
  const gathered: (readonly [meeting: number, answers: GatheredAnswers])[] = [];
  const countMeetings = () => lines.filter(({ type }) => type === 'meeting.called').length;
  const minds = mapSeats(ready.minds, (mind, seat): Mind => {
    if (mind.pace !== 'at-once') throw new Error(`${seat}: expected an offline mind`);
    const answer = async (request: MindRequest) => {
      const { kind, index } = request;
      const [nth, asked] = [consulted.length % 17, clock.elapsed];
      const wait = nth === ODD.length ? 2 * DEADLINE_MS : nth * 50;
      const own = mind.answer(request);
      const ballot = ready.type === 'meeting' ? VOTE : 'skip';
      const said = {
        ...(own.ok && isRecord(own.received) ? own.received : {}),
        ...(kind === 'discussion' && {
          vote_action: index < VOTES_AT ? null : ballot,
          ...(seat === MUTE && { message: ' ' }),
        }),
      };
      const [give = () => ({ ok: true, received: said }), fault = null] = ODD[nth] ?? [];
      const received = fault === null ? said : undefined;
      const place = { kind, index, meeting: countMeetings(), asked, answered: asked + wait };
      consulted.push({ ...place, seat, fault, received });
      await clock.sleep(wait);
      if (seat === LEAVER && kind === 'discussion' && index === 2)
        clock.setTimeout(() => running.leave?.(seat), 1);
      return give();
    };
    return { pace: 'in-time', answer };
  });
  const settings = createBeliefSettings('tick', match, SEED);
  const beliefs = settings && { ...settings, Inquiry };
  const recorder = beginJournal(withBeliefs(ready.headers, beliefs), {
    time: clock,
    onLine: ({ line }) => lines.push(line),
  });
  const running = startMatch({
    ...{ ...ready, minds, clock, recorder, beliefs },
    onGathered: (answers) => gathered.push([countMeetings(), answers]),
  });
  return { match, consulted, lines, gathered, result: await running.result };
}

type Watched = Awaited<ReturnType<typeof watch>>;
type Finding = readonly [what: string, expected: unknown, found: unknown];

const linesOf = <T extends Line['type']>(lines: readonly Line[], type: T) =>
  lines.filter((line): line is LineOf<T> => line.type === type);

const isTalk = ({ requestKind }: LineOf<'tick.closed'>) =>
  requestKind === 'discussion' || requestKind === 'voting';

/** By the documented formula. `meeting` counts from 1, and is 0 on the ship. */
function roll(stream: Stream, meeting: number, tick: number, seat: Colour) {
  const moment = { seed: SEED, meeting: Math.max(0, meeting - 1), stream, tick };
  const [first, draw] = drawWords(moment, COLOURS.indexOf(seat));
  return { first, die: { face: 1 + Math.floor((first / 2 ** 32) * 6), draw } };
}

/** Each asked player's answer if it came in time, in the order of the seats. A departure replaces it. */
function* misgathered({ lines, consulted }: Watched): Generator<Finding> {
  let meeting = 0;
  const gone: Colour[] = [];
  for (const line of lines) {
    if (line.type === 'meeting.called') meeting += 1;
    if (line.type === 'seat.departed') gone.push(line.seat);
    const isTick = line.type === 'tick.closed';
    if (!isTick && line.type !== 'turn.closed' && line.type !== 'round.closed') continue;
    const kind = isTick ? line.requestKind : line.type === 'turn.closed' ? 'ghost' : 'action';
    const index = isTick ? line.tick : line.type === 'turn.closed' ? line.turn : line.round;
    const asked = consulted
      .filter((one) => one.kind === kind && one.index === index)
      .filter((one) => kind === 'action' || one.meeting === meeting)
      .toSorted((one, other) => COLOURS.indexOf(one.seat) - COLOURS.indexOf(other.seat));
    const closes = asked.map((one) => Math.min(one.answered, one.asked + DEADLINE_MS));
    if (asked.length > 0) yield ['the time', Math.max(...closes), line.clock?.['ms']];
    const answers = asked.map(({ seat, fault, received, ...one }) => {
      if (gone.includes(seat)) return [seat, 'seat/left', undefined];
      const isLate = one.answered - one.asked >= DEADLINE_MS;
      return isLate ? [seat, 'mind/late', undefined] : [seat, fault, received];
    });
    const found = line.type === 'round.closed' ? line.orders : line.bids;
    yield ['the answers', answers, found.map((one) => [one.seat, one.fault ?? null, one.received])];
    if (isTick) yield ['the draws', line.tie === 'draw', line.draws !== undefined];
  }
}

/** At the call, after each tick before the next one, and after the poll: of the others who still live. */
function expectBeliefs(lines: readonly Line[], meeting: number) {
  const ticks = linesOf(lines, 'tick.closed').filter(isTalk);
  const asked = ticks.map(({ bids }, at) => {
    const tick = ticks[at - 1]?.tick;
    return { moment: at === 0 ? 'call' : 'tick', tick, seats: bids.map(({ seat }) => seat) };
  });
  const poll = lines.findIndex(({ type }) => type === 'poll.closed');
  const gone = linesOf(lines.slice(0, poll), 'seat.departed').map(({ seat }) => seat);
  const voters = asked.at(-1)?.seats.filter((seat) => !gone.includes(seat)) ?? [];
  const vote = { moment: 'vote', tick: undefined, seats: poll < 0 ? [] : voters };
  return [...asked, vote].flatMap(({ moment, tick, seats }) =>
    seats.map((seat) => [meeting, moment, tick, seat, seats.filter((other) => other !== seat)]),
  );
}

function* misplayed(watched: Watched): Generator<Finding> {
  const { match, lines, gathered, result } = watched;
  yield* misgathered(watched);
  const waits = watched.consulted
    .toSorted((one, other) => one.answered - other.answered)
    .map(({ seat, asked, answered }) => [seat, answered - asked]);
  const arrived = lines.flatMap(({ clock }) => clock?.['arrived'] ?? []);
  const end = Math.max(...lines.map(({ clock }) => Number(clock?.['ms'] ?? 0)));
  const least = watched.consulted.filter(({ answered }) => answered < end).length;
  yield ['the waits', waits.slice(0, Math.max(least, arrived.length)), arrived];
  for (const [meeting, answers] of gathered) {
    const isRound = answers.type === 'orders.gathered';
    const rolled = isRound
      ? match.seats.map(({ colour }) => [colour, roll('round', 0, answers.round, colour).first])
      : answers.bids.map(({ seat }) => [seat, roll('table', meeting, answers.tick, seat).die]);
    yield ['the dice', Object.fromEntries(rolled), isRound ? answers.draws : answers.dice];
  }
  const calls = lines.flatMap(({ type }, at) => (type === 'meeting.called' ? [at] : []));
  const beliefs = calls.flatMap((at, index) =>
    expectBeliefs(lines.slice(at, calls[index + 1]), index + 1),
  );
  const stated = linesOf(lines, 'belief.stated').map((one) => {
    return [one.meeting, one.moment, one.tick, one.seat, one.about];
  });
  yield ['the beliefs', beliefs, stated];
  const ticks = linesOf(lines, 'tick.closed').filter(isTalk);
  const heard = ticks.flatMap(({ said }) => (said?.message ? [said.speaker] : []));
  const [{ winner = null, reason = null } = {}] = linesOf(lines, 'game.closed');
  const { outcome, ejected } = linesOf(lines, 'meeting.closed').at(-1) ?? {};
  const unheard = ticks[0]?.bids.map(({ seat }) => seat).filter((seat) => !heard.includes(seat));
  const rounds = linesOf(lines, 'round.closed').length;
  const ofGame = { winner, reason, rounds, meetings: calls.length };
  const ofMeeting = { outcome, ejected, ticks: ticks.length, unheard };
  yield ['the result', 'winner' in result ? ofGame : ofMeeting, result];
}

export const ENGINE_LAW = {
  name: 'the-engine-does-as-told',
  sentence:
    'A match gathers by seat the answers that came in time, rolls dice and draws for all by their formula, dates each closing, asks for beliefs at their moments, and has the result that its journal shows.',
  async *find(Inquiry = BeliefInquiry): AsyncGenerator<object> {
    for (const match of MATCHES)
      for (const [what, expected, found] of misplayed(await watch(match, Inquiry)))
        if (!isDeepStrictEqual(expected, found)) yield { what, expected, found };
  },
};
