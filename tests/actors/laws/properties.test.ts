import { describe, expect, test } from 'vitest';
import type { Line } from '../../../machines/journal/lines.ts';
import type { MeetingMatch } from '../../../machines/setup/match.ts';
import type { Outcome } from '../../../machines/types.ts';
import { seeds } from '../../support/seeds.ts';
import { BREACHES, edited, JOURNALS } from './breaches.ts';
import { dealer, gossip } from './gossip.ts';
import { aTable, following, linesOf, meet, type Script } from './meetings.ts';
import { replyOf } from './oracle/consequences.ts';
import { type LineOf, PROPERTIES, type PropertyCode } from './oracle/property.ts';
import { findViolations } from './properties.ts';

type Name = keyof typeof JOURNALS;
const NAMES: readonly Name[] = [
  'house',
  'classic',
  'anonymous',
  'faulty',
  'unconverged',
  'stopped',
];
const CODES = Object.entries(BREACHES).map(([code, breach]) => ({ code, ...breach }));

describe('the oracle', () => {
  const held = new Map<Name, Promise<Line[]>>();
  const journal = (name: Name) => {
    const lines = held.get(name) ?? JOURNALS[name]();
    held.set(name, lines);
    return lines;
  };

  test.each(NAMES)('has nothing to say about the journal "%s"', async (name) => {
    expect(findViolations(await journal(name))).toEqual([]);
  });

  test.each(CODES)('notices a breach of $code', async ({ code, journal: name, edit }) => {
    const broken = findViolations(edited(await journal(name), edit));
    expect(broken.map((breach) => breach.code)).toContain(code);
  });

  test('is tried on every property', () => {
    expect(CODES.map(({ code }) => code)).toEqual(Object.keys(PROPERTIES));
  });
});

const BY_VOTES: readonly Outcome[] = ['ejected', 'tie', 'skipped'];

type Law = {
  readonly name: string;
  readonly seeds: number;
  readonly table: (seed: number) => MeetingMatch;
  readonly script?: (seed: number) => Script;
};

async function tried({ seeds: many, table, script }: Law) {
  const broken: string[] = [];
  const outcomes = new Map<Outcome, number>();
  const corners = new Set<string>();
  for (let seed = 1; seed <= many; seed++) {
    const staging = script === undefined ? {} : { recast: following(script(seed)) };
    const meeting = await meet(table(seed), seed, staging);
    const { outcome } = meeting.result;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (broken.length > ENOUGH) continue;
    const lines = linesOf(meeting);
    for (const line of lines) for (const corner of cornersOf(line)) corners.add(corner);
    for (const { code, line, text } of findViolations(lines))
      broken.push(
        `seed ${seed}, line ${line}: ${code}: ${PROPERTIES[code as PropertyCode]} ${text}`,
      );
  }
  const byVotes = BY_VOTES.reduce((sum, outcome) => sum + (outcomes.get(outcome) ?? 0), 0);
  return { broken: broken.slice(0, ENOUGH), share: byVotes / many, corners };
}

/** Rare things that must have happened, or a property about them was not tried. */
const CORNERS = [
  ...['tie by silence', 'tie by unvoted', 'tie by draw', 'visible silence', 'empty floor'],
  ...['nudge for ticks', 'nudge for tokens', 'mended reply', 'cut message'],
  ...['vote/locked', 'vote/not-living', 'vote/closed', 'cleared ballot', 'void ballot'],
  ...['missed vote', 'departure by faults', 'departure by left'],
  ...['ejected', 'tie', 'skipped', 'empty'],
];

function cornersOf(line: Line): readonly string[] {
  switch (line.type) {
    case 'tick.closed':
      return cornersOfTick(line);
    case 'vote.refused':
      return [line.note.code];
    case 'vote.cleared':
      return ['cleared ballot'];
    case 'poll.closed':
      return [
        ...(line.void.length > 0 ? ['void ballot'] : []),
        ...(line.missed.length > 0 ? ['missed vote'] : []),
      ];
    case 'seat.departed':
      return [`departure by ${line.reason}`];
    case 'verdict.announced':
      return [line.outcome];
    default:
      return [];
  }
}

function cornersOfTick(tick: LineOf<'tick.closed'>): readonly string[] {
  const { said, tie, nudge, scores, floor, bids } = tick;
  const bid = bids.find(({ seat }) => seat === said?.speaker);
  const words = bid === undefined ? '' : replyOf(bid)?.message.trim();
  return [
    ...(tie === null ? [] : [`tie by ${tie}`]),
    ...(nudge === null ? [] : [`nudge for ${nudge}`]),
    ...(said?.message === '' ? ['visible silence'] : []),
    ...(scores.length > 0 && floor === null ? ['empty floor'] : []),
    ...(said !== null && said.message !== words ? ['cut message'] : []),
    ...(bids.some(({ parsed }) => parsed !== undefined) ? ['mended reply'] : []),
  ];
}

const ENOUGH = 10;

function someTable(seed: number, more: Parameters<typeof aTable>[1] = {}): MeetingMatch {
  return aTable({ living: 6 + (seed % 3), dead: 1 + (Math.floor(seed / 3) % 2) }, more);
}

/** The same table with something changed at every seat that is not dead. */
function seated(
  match: MeetingMatch,
  change: (index: number) => Partial<MeetingMatch['seats'][number]>,
): MeetingMatch {
  const seats = match.seats.map((seat, index) =>
    seat.dead ? seat : { ...seat, ...change(index) },
  );
  return { ...match, seats };
}

const rules = (seed: number) => (seed % 2 === 0 ? 'house' : 'classic');

const LAWS: readonly Law[] = [
  {
    name: 'in classic rules with all kinds of times',
    seeds: seeds(4, 1000),
    table: (seed) =>
      someTable(seed, {
        fault_rate: seed % 4 === 0 ? 0.2 : 0,
        options: {
          rules: 'classic',
          discussion_time: (seed % 3) * 15,
          voting_time: dealer(seed).one([0, 15, 30, 60, 120]),
          seconds_per_tick: 1 + (seed % 7),
        },
      }),
  },
  {
    name: 'with anonymous votes and nothing confirmed',
    seeds: seeds(4, 1000),
    table: (seed) => someTable(seed, { options: { anonymous_votes: true, confirm_ejects: false } }),
  },
  {
    name: 'with players who leave',
    seeds: seeds(4, 1000),
    table: (seed) =>
      seated(someTable(seed, { options: { rules: rules(seed) } }), (index) =>
        index % 2 === seed % 2 ? { leaves: dealer(seed, index).below(25) } : {},
      ),
  },
  {
    name: 'with silent minds, in every fourth meeting all of them',
    seeds: seeds(4, 1000),
    table: (seed) =>
      seated(someTable(seed, { options: { rules: rules(seed >> 2) } }), (index) =>
        seed % 4 === 0 || dealer(seed, index).is(0.3) ? { mind: 'silent' } : {},
      ),
  },
  {
    name: 'with voters who wait for the nudge',
    seeds: seeds(4, 1000),
    table: (seed) =>
      seated(someTable(seed, { options: { nudge_after: 5 + (seed % 20) } }), () => ({
        votes: 'after-nudge',
      })),
  },
  { name: 'with four seats', seeds: seeds(4, 1000), table: () => aTable({ living: 4 }) },
  { name: 'with fifteen seats', seeds: seeds(4, 1000), table: () => aTable({ living: 15 }) },
  {
    name: 'with limits of the operator',
    seeds: seeds(4, 1000),
    table: (seed) => {
      const { is, below } = dealer(seed);
      return someTable(seed, {
        options: {
          rules: rules(seed),
          vote_after: is(0.7) ? below(12) : null,
          max_ticks: is(0.7) ? 1 + below(20) : null,
          voting_time: 15,
        },
      });
    },
  },
];

const HOUSE = seeds(8, 5000);
const GOSSIPS: Law = { name: 'of gossips', seeds: seeds(60, 3000), table: gossips, script: gossip };

/** A table of minds that do anything, under settings that are as wild. */
function gossips(seed: number): MeetingMatch {
  const { is, below, one } = dealer(seed, 1);
  const voted = below(3);
  const size = { living: 4 + below(8), dead: below(4) };
  return aTable(size, {
    ghosts: { present: is(0.8), budget: below(20) },
    options: {
      rules: rules(seed),
      anonymous_votes: is(0.3),
      confirm_ejects: is(0.6),
      patience: 1 + below(4),
      nudge_after: 1 + below(12),
      nudge_every: 1 + below(6),
      token_target: one([300, 1000, 25_000]),
      message_tokens: one([8, 20, 120]),
      weights: {
        mention: below(6),
        accusation: below(6),
        recent_speaker: below(8),
        voted,
        silence: { slope: 1 + below(5), grace: below(4), cap: is(0.3) ? 90 : null },
      },
    },
  });
}

describe('no property is violated', () => {
  test(`votes end 95 % of meetings without a limit (seeds 1 to ${HOUSE})`, async () => {
    const { broken, share } = await tried({ name: 'house', seeds: HOUSE, table: someTable });
    expect(broken).toEqual([]);
    expect(share).toBeGreaterThanOrEqual(0.95);
  });

  test(`when three replies in ten go wrong, and votes end 90 % (seeds 1 to ${HOUSE})`, async () => {
    const table = (seed: number) => someTable(seed, { fault_rate: 0.3 });
    const { broken, share } = await tried({ name: 'faulty', seeds: HOUSE, table });
    expect(broken).toEqual([]);
    expect(share).toBeGreaterThanOrEqual(0.9);
  });

  test(`of gossips, by any rules and with any weights (seeds 1 to ${GOSSIPS.seeds})`, async () => {
    const { broken, corners } = await tried(GOSSIPS);
    expect(broken).toEqual([]);
    expect(corners).toEqual(new Set(CORNERS));
  });

  test.each(LAWS)('$name (seeds 1 to $seeds)', async (law) => {
    expect((await tried(law)).broken).toEqual([]);
  });
});
