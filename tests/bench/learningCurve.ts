/**
 * One learner, two rewards: the end of the game, or the causal credit of each ballot. docs/serve.md has the
 * hypothesis, the protocol and the outcome.
 *   node tests/bench/learningCurve.ts [repetitions] [games] [held-out games]
 */
import {
  type Colour,
  creditActs,
  type Observation,
  openEnvironment,
  readJournal,
} from 'glass-box-league';

const [repetitions = 8, games = 64, heldOut = 100] = process.argv.slice(2).map(Number);
const ME: Colour = 'red';
const OTHERS = ['blue', 'green', 'pink', 'orange'];
const SEATS = [{ colour: ME, role: 'crewmate' }, ...OTHERS.map((colour) => ({ colour }))];
const CONFIG = JSON.stringify({ name: 'Curve', options: { impostors: 1 }, seats: SEATS });

/** A policy is a choice for each situation: a deed seen, being accused, others accused by several, one, nobody. */
type Policy = readonly KnobChoice[];
type KnobChoice = (typeof CHOICES)[number];
const CHOICES = ['skip', 'accused', 'accuser'] as const;
const SITUATIONS = [0, 1, 2, 3, 4];
type KnobBallot = { readonly situation: number; readonly meeting: number; readonly gain: number };
type MeetingTalk = Exclude<Observation, { kind: 'action' | 'ghost' }>;

const BLAME = /\b(sus|suspicious|suspects?|impostor|shady|framing|vent|kill|over the body|vote)\b/i;
const isSpoken = ({ speaker }: { speaker: string }) => speaker !== 'system';

function judge({ view: { you, table }, choices }: MeetingTalk) {
  const rivals: readonly string[] = choices.votes.filter((who) => who !== 'skip');
  const said = table.transcript.filter(isSpoken);
  const blamersOf = (whom: string) => {
    const blames = said.filter(({ speaker, message }) => {
      return (
        speaker !== whom &&
        speaker !== ME &&
        BLAME.test(message) &&
        message.toLowerCase().includes(whom)
      );
    });
    return [...new Set(blames.map(({ speaker }) => speaker))];
  };
  const proof = you.brief.sightings.find(({ who, did }) => {
    return ['kill', 'vent'].includes(did) && rivals.includes(who);
  });
  const [most = ME] = rivals.toSorted((a, b) => blamersOf(b).length - blamersOf(a).length);
  const isBlamed = blamersOf(ME).length > 0;
  const accused = proof?.who ?? most;
  const suspects = [...blamersOf(isBlamed ? ME : most), table.call.by, ...rivals];
  const accuser = suspects.find((who) => who !== accused && rivals.includes(who)) ?? 'skip';
  const situation = proof ? 0 : isBlamed ? 1 : 4 - Math.min(2, blamersOf(most).length);
  return { situation, chance: 1 / rivals.length, skip: 'skip', accused, accuser };
}

function isTimeToVote({ view: { you, table }, choices }: MeetingTalk): boolean {
  const voted = table.seats.filter((seat) => seat.voted).length;
  const isRead = table.transcript.filter(isSpoken).length >= 8 || voted * 2 >= choices.votes.length;
  return table.votesOpen && you.ballot === null && isRead;
}

/** A ballot gains 1 for an impostor, else 0, minus the chance of a random ballot. A skip gains 0. */
async function play(seed: number, policy: Policy) {
  const env = openEnvironment({ config: CONFIG, seats: [ME], seed });
  const ballots = new Map<number, { situation: number; chance: number; vote: string }>();
  const reply = (asked: Observation): object => {
    if (asked.kind === 'ghost') return {};
    if (asked.kind === 'action') {
      const find = (type: string) => asked.choices.actions.find((one) => one.type === type);
      const work = asked.view.scene.intent === null ? (find('task') ?? find('go')) : null;
      return { action: find('report') ?? find('fix') ?? work };
    }
    if (!isTimeToVote(asked)) return { message: '', desire_to_speak: 0 };
    const { situation, chance, ...votes } = judge(asked);
    const vote = votes[policy[situation] ?? 'skip'];
    ballots.set(asked.view.table.record.meetings.length, { situation, chance, vote });
    return { message: '', desire_to_speak: 0, vote_action: vote };
  };
  await env.reset();
  for (let asked = env.observe(ME); asked !== null; asked = env.observe(ME))
    await env.step(ME, reply(asked));
  const [header] = readJournal(env.journal()).lines;
  const seats = header?.type === 'match.opened' ? header.match.seats : [];
  const impostor = seats.find(({ role }) => role === 'impostor')?.colour;
  const decisions = [...ballots].map(([meeting, { situation, chance, vote }]): KnobBallot => {
    return { situation, meeting, gain: vote === 'skip' ? 0 : Number(vote === impostor) - chance };
  });
  return { decisions, reward: env.state().rewards[ME] ?? 0, journal: env.journal() };
}

/** Spreads the choices evenly over the games, each situation in a rhythm of its own (a Weyl sequence). */
function chooseEvenly(game: number, situation: number): KnobChoice {
  const rhythm = Math.sqrt([2, 3, 5, 7, 11][situation] ?? 13);
  return CHOICES[Math.floor(((game * rhythm) % 1) * CHOICES.length)] ?? 'skip';
}

type PricedChoice = {
  readonly situation: number;
  readonly choice: KnobChoice;
  readonly worth: number;
};

/** The choice with the best mean in each situation, with one more try worth 0; the first of equal ones. */
function commit(lessons: readonly PricedChoice[]): Policy {
  const rate = (situation: number, choice: KnobChoice) => {
    const own = lessons.filter((one) => one.situation === situation && one.choice === choice);
    return sum(own.map(({ worth }) => worth)) / (own.length + 1);
  };
  return SITUATIONS.map((at) => CHOICES.toSorted((a, b) => rate(at, b) - rate(at, a))[0] ?? 'skip');
}

const played = new Map<number, { policy: Policy; decisions: readonly KnobBallot[] }[]>();

/** The mean gain of a ballot or skip in the held-out games, in points. A game that is known is not played again. */
async function detect(policy: Policy): Promise<number> {
  const gains: number[] = [];
  for (let seed = 1; seed <= heldOut; seed += 1) {
    const known = played.get(seed) ?? [];
    const same = known.find((game) =>
      game.decisions.every(({ situation: at }) => game.policy[at] === policy[at]),
    );
    const { decisions } = same ?? (await play(seed, policy));
    if (same === undefined) played.set(seed, [...known, { policy, decisions }]);
    gains.push(...decisions.map(({ gain }) => gain));
  }
  return 100 * mean(gains);
}

const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
const mean = (list: readonly number[]) => sum(list) / Math.max(1, list.length);
const cpuSeconds = () => sum(Object.values(process.cpuUsage())) / 1e6;

/** A mean and its 95 % interval by Student's t, with the quantile by its series. */
function tell(list: readonly number[], other: readonly number[] = []): string {
  const values = list.map((one, at) => one - (other[at] ?? 0));
  const degrees = values.length - 1;
  const variance = sum(values.map((one) => (one - mean(values)) ** 2)) / degrees;
  const half = (1.96 + 2.37 / degrees + 2.82 / degrees ** 2) * Math.sqrt(variance / values.length);
  return `${mean(values).toFixed(1)} (${(mean(values) - half).toFixed(1)} to ${(mean(values) + half).toFixed(1)})`;
}

const sizes = [4, 8, 16, 32, 64, 128, 256, 512, 1024].filter((size) => size <= games);
const curve = sizes.map(
  (size) => ({ size, end: [], credit: [], endCpu: [], creditCpu: [] }) as CurvePoint,
);
type CurvePoint = { readonly size: number } & Record<
  'end' | 'credit' | 'endCpu' | 'creditCpu',
  number[]
>;
for (let repetition = 1; repetition <= repetitions; repetition += 1) {
  const lessons: (PricedChoice & { readonly credit: number })[] = [];
  let [endCpu, creditCpu] = [0, 0];
  for (let game = 1; game <= games; game += 1) {
    const policy = SITUATIONS.map((at) => chooseEvenly(game + 1000 * repetition, at));
    const start = cpuSeconds();
    const { decisions, reward, journal } = await play(10_000 * repetition + game, policy);
    endCpu += cpuSeconds() - start;
    const { credits } = await creditActs(journal, ME);
    creditCpu += cpuSeconds() - start;
    for (const { situation, meeting } of decisions) {
      const credit = sum(credits.filter((one) => one.meeting === meeting).map((one) => one.credit));
      lessons.push({ situation, choice: policy[situation] ?? 'skip', worth: reward, credit });
    }
    const point = curve.find(({ size }) => size === game);
    if (point === undefined) continue;
    const usual = mean(lessons.map(({ worth }) => worth));
    point.end.push(
      await detect(commit(lessons.map((one) => ({ ...one, worth: one.worth - usual })))),
    );
    point.credit.push(await detect(commit(lessons.map((one) => ({ ...one, worth: one.credit })))));
    point.endCpu.push(endCpu);
    point.creditCpu.push(creditCpu);
  }
  console.error(`repetition ${repetition} of ${repetitions}: ${JSON.stringify(curve)}`);
}
console.log('| games | by the end | by credit | difference | CPU seconds |\n|---|---|---|---|---|');
for (const { size, end, credit, endCpu, creditCpu } of curve) {
  const seconds = `${mean(endCpu).toFixed(1)} and ${mean(creditCpu).toFixed(1)}`;
  console.log(`| ${[size, tell(end), tell(credit), tell(credit, end), seconds].join(' | ')} |`);
}
const last = curve.at(-1);
const affordable = curve.findLast(({ creditCpu }) => mean(creditCpu) <= mean(last?.endCpu ?? []));
for (const point of [curve.at(-2), affordable])
  if (point)
    console.log(
      `credit, ${point.size} games, minus end, ${last?.size}: ${tell(point.credit, last?.end)}`,
    );
