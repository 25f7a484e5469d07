/** Laws of limits, chance and lenses: times, cut texts, the stream of each draw, and what a lens shows of whom. */
import { isDeepStrictEqual } from 'node:util';
import type { Lens, seeThrough } from '../../machines/journal/lens.ts';
import { type Line, lineSchema } from '../../machines/journal/lines.ts';
import { drawWords, type Stream } from '../../machines/rules/dice.ts';
import type { capTokens } from '../../machines/rules/floor.ts';
import { defaultOptions, type rounds } from '../../machines/rules/options.ts';
import type { consolidatePads, updatePads } from '../../machines/rules/pads.ts';
import type { dueAfter } from '../../machines/rules/tick.ts';
import { type BySeat, COLOURS, type Colour, type Die, RULE_SETS } from '../../machines/types.ts';
import { FORMAT, VERSIONS } from '../../machines/versions.ts';
import { expectedDue, listMarks } from '../models/clock.ts';
import { combineChoices } from '../models/closings.ts';
import { SECONDS } from './shipSteps.ts';

const DEFAULTS = defaultOptions(COLOURS.length);
const [LONGEST_TICK, LONGEST_TIME] = [60, 300];
const upTo = (most: number) => Array.from({ length: most }, (_, index) => index);

function* mistimed(due: typeof dueAfter, toRounds: typeof rounds): Generator<unknown> {
  for (const rules of RULE_SETS)
    for (const tick of upTo(LONGEST_TICK))
      for (const times of combineChoices<number | null>([
        [0, 15, 120],
        [0, 15, 300],
        [null, 3],
        [null, 5],
      ])) {
        const [discussionTime, votingTime, voteAfter = null, maxTicks = null] = times;
        const set = { rules, secondsPerTick: tick + 1, voteAfter, maxTicks };
        const lengths = { discussionTime: discussionTime ?? 0, votingTime: votingTime ?? 0 };
        const options = { ...DEFAULTS, ...set, ...lengths };
        for (const mark of [0, ...listMarks(options)])
          for (const passed of [Math.max(0, mark - 1), mark, mark + 1])
            if (due(options, passed) !== expectedDue(options, passed)) yield { options, passed };
      }
  for (const seconds of upTo(LONGEST_TIME)) {
    const found = toRounds(seconds / 2) * SECONDS - seconds / 2;
    if (found < 0 || found >= SECONDS) yield { seconds: seconds / 2 };
  }
}

/** Characters of a page, and quarters of a token: in one, and for a character outside ASCII. */
const [PAGE, QUARTERS, WIDE] = [4000, 4, 3];
const LINE = 'Meeting: I did not vote; nobody was ejected (skipped).';
const write = (length: number) => upTo(length).join(' ').slice(0, length);
const TEXTS = [0, PAGE - LINE.length, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE].map(write);

function* miscut(
  update: typeof updatePads,
  consolidate: typeof consolidatePads,
  cap: typeof capTokens,
): Generator<unknown> {
  const end = (text: string) => text.split('').slice(-PAGE).join('');
  for (const main of TEXTS)
    for (const meeting of TEXTS) {
      const pads = { main, meeting };
      const whole = { main: end(main), meeting: end(meeting) };
      const line = main === '' ? LINE : `${main}\n${LINE}`;
      const cases = [
        [update({ main: 'old', meeting: 'old' }, pads), whole],
        [update({ main: 'old', meeting }, { main }), whole],
        [update({ main, meeting: 'old' }, { meeting }), whole],
        [consolidate(pads, null, LINE), { main: end(line), meeting: '' }],
        [consolidate(pads, { meeting: 'own' }, LINE), { main: end(line), meeting: '' }],
        [consolidate(pads, { main: meeting }, LINE), { main: end(meeting), meeting: '' }],
      ];
      if (cases.some(([found, expected]) => !isDeepStrictEqual(found, expected)))
        yield [main.length, meeting.length];
    }
  for (const limit of [1, 8, 9])
    for (const text of ['a', 'é', '😀', 'aé😀'].map((part) => part.repeat(QUARTERS * limit + 1))) {
      let weight = 0;
      const fits = [...text].filter((letter) => {
        weight += letter < '\u0080' ? 1 : WIDE;
        return weight <= QUARTERS * limit;
      });
      if (cap(text, limit) !== fits.join('') || cap(fits.join(''), limit) !== fits.join(''))
        yield { text, limit };
    }
}

export type DrawPlace = { readonly seed: number; readonly meeting: number; readonly tick: number };
type Roll = (at: DrawPlace, seats: readonly Colour[]) => BySeat<Die>;
const DRAWN: readonly (readonly Colour[])[] = [COLOURS.slice(0, 3), COLOURS.slice(-2)];

/** The dice of each stream, of these seats only, and of no other stream, game, meeting or tick. */
function* misrolled(rolls: readonly (readonly [stream: Stream, roll: Roll])[]): Generator<unknown> {
  const known = new Set<string>();
  const places = combineChoices([
    [1, 2 ** 40],
    [0, 3],
    [0, 1, 77],
  ]);
  for (const [stream, roll] of rolls)
    for (const [seed = 0, meeting = 0, tick = 0] of places)
      for (const seats of DRAWN) {
        const at = { seed, meeting, tick };
        const expected = seats.map((seat) => {
          const [face, draw] = drawWords({ ...at, stream }, COLOURS.indexOf(seat));
          return [seat, { face: 1 + Math.floor((face * 6) / 2 ** 32), draw }];
        });
        const found = roll(at, seats);
        const words = Object.values(found).map(({ draw }) => `${draw}`);
        if (
          !isDeepStrictEqual(found, Object.fromEntries(expected)) ||
          words.some((one) => known.has(one))
        )
          yield { stream, ...at };
        for (const one of words) known.add(one);
      }
}

export const TIME_LAW = {
  name: 'times-are-rounded-up',
  sentence: 'Every time of the lobby takes the fewest ticks or rounds that are not shorter.',
  mistimed,
};

export const CUT_LAW = {
  name: 'texts-are-cut-at-their-limits',
  sentence:
    'A page keeps its last 4,000 characters, and a message its first tokens. Shorter ones are whole.',
  miscut,
};

export const STREAM_LAW = {
  name: 'dice-have-streams-of-their-own',
  sentence:
    'Each die at the table and in the gallery is of its own stream, game, meeting, tick and seat.',
  misrolled,
};

/** What everybody may see of an event of the ship, and whether the one behind it sees the rest. */
const NEWS: Readonly<
  Record<string, readonly [shown: readonly string[] | null, own: string | null]>
> = {
  'intent.refused': [null, 'seat'],
  'seat.faulted': [null, 'seat'],
  'player.killed': [null, 'by'],
  'vent.used': [null, 'seat'],
  'sabotage.begun': [['system'], 'by'],
  'sabotage.fixed': [['system'], null],
  'keypad.entered': [['at'], 'seat'],
  'doors.shut': [['room'], 'by'],
  'task.stepped': [[], 'seat'],
  'doors.opened': [['room'], null],
  'seat.departed': [['seat', 'reason'], null],
};
/** Not even the dead learn of these. */
const PRIVATE = ['intent.refused', 'seat.faulted'];

const CAST = ['red', 'blue', 'green', 'pink', 'yellow'] as const satisfies readonly Colour[];
const EVIL: readonly Colour[] = ['blue', 'green'];
const DEAD: Colour = 'pink';
const KILL = { type: 'player.killed', by: 'blue', victim: DEAD, place: 'O2' };
const NOTE = { code: 'kill/cooldown', text: 'wait' };
const EVENTS = [
  { type: 'intent.refused', seat: 'blue', intent: { type: 'kill', whom: 'red' }, note: NOTE },
  { type: 'seat.faulted', seat: 'blue', code: 'mind/late', streak: 1 },
  { ...KILL, victim: 'yellow' },
  { type: 'vent.used', seat: 'blue', how: 'in', vent: 3, place: 'Electrical' },
  { type: 'sabotage.begun', by: 'blue', system: 'o2' },
  { type: 'sabotage.fixed', by: ['red'], system: 'o2' },
  { type: 'keypad.entered', seat: 'red', at: 'O2' },
  { type: 'doors.shut', by: 'blue', room: 'Storage' },
  { type: 'doors.opened', room: 'Storage' },
  { type: 'task.stepped', seat: 'red', task: 'swipe-card', steps: 1, done: true },
  { type: 'seat.departed', seat: 'green', reason: 'left' },
];

/** A meeting with a ghost, or a game with a task bar in which that player is killed; and then a round. */
function journalOf(bar: string | null): readonly Line[] {
  const round = { type: 'round.closed', round: 1, orders: [], paths: {}, deeds: {}, seen: {} };
  const isMeeting = bar === null;
  const seats = CAST.map((colour) => ({
    ...{ colour, role: EVIL.includes(colour) ? 'impostor' : 'crewmate', notes: 'secret' },
    ...(isMeeting ? { dead: colour === DEAD } : {}),
  }));
  const only = isMeeting ? { options: {}, call: { by: 'red' } } : { options: { task_bar: bar } };
  const head = { type: 'match.opened', format: FORMAT, rulesVersion: VERSIONS.rules, seed: 1 };
  return [
    { ...head, match: { name: 'lenses', ...only, seats } },
    ...(isMeeting ? [] : [{ ...round, events: [KILL] }]),
    { ...round, events: EVENTS },
  ].map((line, seq) => lineSchema.parse({ ...line, channel: 'living', seq, hash: '' }));
}

const isEvil = (seat: Colour | null) => seat !== null && EVIL.includes(seat);

function* misshown(see: typeof seeThrough): Generator<unknown> {
  for (const bar of [null, 'always', 'meetings', 'never'])
    for (const viewer of [null, ...CAST]) {
      const lens: Lens = viewer === null ? { type: 'table' } : { type: 'player', seat: viewer };
      const lines = see(journalOf(bar), lens);
      const [opened, round] = [lines.at(0), lines.at(-1)];
      const header = opened?.type === 'match.opened' ? opened.match.seats : [];
      const shown = header.map((seat) => [seat.colour, seat.role, 'notes' in seat]);
      const seats = CAST.map((colour) => {
        const isOwn = colour === viewer;
        const isKnown = isOwn || (isEvil(viewer) && isEvil(colour)) || (!bar && viewer === DEAD);
        const role = isEvil(colour) ? 'impostor' : 'crewmate';
        return [colour, isKnown ? role : undefined, isOwn];
      });
      // A player who dies in the round sees it as one of the dead.
      const isDead = viewer === DEAD || viewer === 'yellow';
      const news = EVENTS.flatMap((event): readonly object[] => {
        const { [event.type]: [open, own] = [null, null] } = NEWS;
        const isOwn = own !== null && Reflect.get(event, own) === viewer;
        if (isOwn || (isDead && !PRIVATE.includes(event.type))) return [event];
        if (open === null || (event.type === 'task.stepped' && bar !== 'always')) return [];
        const fields = Object.entries(event).filter(([name]) => ['type', ...open].includes(name));
        return [Object.fromEntries(fields)];
      });
      const told = round?.type === 'round.closed' ? round.events : null;
      if (!isDeepStrictEqual([shown, told], [seats, news])) yield { viewer, bar, shown, told };
    }
}

export const LENS_LAW = {
  name: 'a-lens-shows-what-is-known',
  sentence:
    'A lens shows the roles that its player knows and only their notes; of a round what everybody hears, what the player did, and all but refusals and faults to the dead.',
  misshown,
};
