import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, chooseStepper, listEvents, stateOf } from 'glass-box-checker';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { meetingHeaders } from '../../actors/engine/match.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { classicTable, houseTable, type MeetingKnobs } from '../../proofs/models/meeting.ts';
import { createHeaderMatch, TraceJournal } from '../../proofs/traces/traceJournal.ts';
import { describeLong, everyNth, testLong } from '../support/seeds.ts';
import { aModel, census, KNOBS, type MeetingModel, surprises, toldShort } from './models.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * States of the talk in house, with `players` living and at most one departure.
 *
 * A living player has one of `players` + 2 ballots (each colour, skip, none) and a count of faults in a row
 * from 0 to patience − 1. All combinations are there but those in which everybody has voted. One of the players may be
 * gone, with any ballot and no count.
 */
function talksInHouse(players: number, patience: number): number {
  const unfinished = (living: number) =>
    ((players + 2) * patience) ** living - ((players + 1) * patience) ** living;
  return unfinished(players) + players * (players + 2) * unfinished(players - 1);
}

/**
 * States of the open poll in classic. A player who left has no ballot and gets none, so the others choose among
 * themselves, skip and none.
 */
function pollsInClassic(players: number, patience: number): number {
  const unfinished = (living: number) =>
    patience ** living * ((living + 2) ** living - (living + 1) ** living);
  return unfinished(players) + players * unfinished(players - 1);
}

describe('three players, every state on its own: arithmetic gives the same counts', () => {
  const tables = [
    { rules: 'house', patience: 2, states: 4_719 },
    { rules: 'house', patience: 1, states: 3_887 },
    { rules: 'classic', patience: 2, states: 7_660 },
    { rules: 'classic', patience: 1, states: 7_170 },
  ] as const;
  test.each(everyNth(tables, 4))(
    '$rules with patience $patience',
    ({ rules, patience, states }) => {
      const setting = rules === 'house' ? houseTable({ patience }) : classicTable({ patience });
      const checked = census({ ...aModel(setting), properties: [] });
      expect(checked).toMatchObject({ engine: 'compiled', ended: null, states });
      const { places } = checked;
      if (rules === 'house') {
        expect(places.get('discussion.bidding')).toBe(talksInHouse(3, patience));
      } else expect(places.get('voting.polling.bidding')).toBe(pollsInClassic(3, patience));
    },
  );
});

describe('modulo symmetry', () => {
  const three = { players: 3, combinations: 'all' } as const;
  const four = { players: 4, patience: 2, combinations: 'some' } as const;
  // folded.test.ts has the same states and verdicts, bid by bid, which is much less; with patience 1 it writes them out.
  const all = [
    { ...three, rules: 'house', patience: 2, states: 928, transitions: 131_313 },
    { ...three, rules: 'classic', patience: 2, states: 1_028, transitions: 196_667 },
    { ...four, rules: 'house', states: 4_170, transitions: 390_709 },
    { ...four, rules: 'classic', states: 4_263, transitions: 399_408 },
  ] as const;
  testLong.each(all)(
    '$players players in $rules, $combinations combinations: all properties turn out as declared, also those of what happens at last',
    (wanted) => {
      const { players, patience, combinations, states, transitions } = wanted;
      const setting =
        wanted.rules === 'house'
          ? houseTable({ players, patience })
          : classicTable({ players, patience });
      const checked = modulo(aModel(setting, { ...KNOBS, combinations }));
      expect(surprises(checked)).toEqual([]);
      expect(checked).toMatchObject({ isSymmetric: true, ended: null, states, transitions });
    },
  );

  const two = [
    [1, 2],
    [4, 2],
    [3, 2],
    [5, 2],
  ] as const;
  test.each(everyNth(two, 2))(
    'patience %i: all combinations of %i players',
    (patience, players) => {
      for (const setting of [
        houseTable({ players, patience }),
        classicTable({ players, patience }),
      ]) {
        const checked = modulo(aModel(setting, { ...KNOBS, combinations: 'all' }));
        expect(checked.ended).toBeNull();
        expect(surprises(checked)).toEqual([]);
      }
    },
  );

  const both: readonly (readonly [string, MeetingSetup])[] = [
    ['house', houseTable({ patience: 1 })],
    ['classic', classicTable({ patience: 1 })],
  ];
  testLong.each(everyNth(both, 2))(
    'three players in %s: the verdicts are those of every state on its own',
    (_, setting) => {
      const model = aModel(setting);
      const verdicts = ({ results }: ReturnType<typeof modulo>) =>
        results.map(({ name, verdict }) => [name, verdict.type]);
      expect(verdicts(modulo(model))).toEqual(verdicts(check(model)));
    },
  );
});

test('no oracle calls a rule that it judges', () => {
  const allowed = [
    // Words, bounds and tables, no rules.
    ...['ACCUSING_WORDS', 'INTENTS', 'LATE', 'LEFT', 'LONGEST_WAIT', 'NO_PAST', 'OUTAGE'],
    ...['QUIET', 'SKELD', 'TASK_KINDS', 'TASKS', 'WITHOUT_GAME'],
    ...['cutDifference', 'defaultOptions', 'lineSchema', 'mapWeights', 'startRecord'],
    ...['FORMAT', 'VERSIONS'],
  ];
  const judges = reachable([
    ...globSync('proofs/properties/*.ts', { cwd: ROOT }),
    // foldedTick.ts calls the rule on purpose.
    ...['clock', 'closings', 'arbiterTicks'].map((name) => `proofs/models/${name}.ts`),
  ]);
  const called = judges.flatMap((path) =>
    valueImports(path)
      .filter(({ from }) => /^machines\/(?!types|messages)/.test(from))
      .flatMap(({ names }) => names)
      .filter((name) => !allowed.includes(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(judges.length).toBeGreaterThan(12);
  expect(called).toEqual(CALLED);
});

/** A promise is what its property judges, against the steps of the chart. A model steps the charts, so it imports them. */
const CALLED = [
  // Chance itself. The law judges which draws are taken for what.
  'proofs/properties/limits.ts: drawWords',
  ...['judgeEjection', 'stepsToEnd', 'ticksOfTalkLeft'].map(
    (name) => `proofs/properties/promises.ts: ${name}`,
  ),
  // The requests and messages that the game sends are what these properties judge.
  'proofs/properties/shipNews.ts: messagesAfterRound',
  'proofs/properties/shipNews.ts: OUTGOING',
  'proofs/properties/shipSights.ts: OUTGOING',
  'proofs/models/arbiterTicks.ts: arbiterMachine',
];

function valueImports(path: string) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const imports =
    /^import (?!type )(?:\{(?<names>[^}]*)\}|(?<all>\* as \w+)) from '(?<from>\.[^']*)';/gm;
  return [...text.matchAll(imports)].map(({ groups = {} }) => {
    const listed = (groups['names'] ?? groups['all'] ?? '').split(',').map((name) => name.trim());
    return {
      from: join(dirname(path), groups['from'] ?? ''),
      names: listed.filter((name) => name !== '' && !name.startsWith('type ')),
    };
  });
}

/** These modules and their imports in this room, without the stepped charts. */
function reachable(paths: readonly string[]): readonly string[] {
  const found = new Set(paths);
  for (const path of found) {
    for (const { from } of valueImports(path)) {
      if (from.startsWith('proofs/') && !STEPPED.includes(from)) found.add(from);
    }
  }
  return [...found];
}

const STEPPED = ['proofs/models/meetingSystem.ts', 'proofs/models/secrets.ts'];

describe('that it ends', () => {
  test('a meeting in which somebody never votes does not end', () => {
    const { results } = check(aModel(houseTable({ players: 2 })), { only: ['ends'] });
    const trace = traceOf(results);
    expect(trace?.loop).not.toBeNull();
    expect(trace?.excludedBy).toContain('a player without a ballot eventually votes');
    expect(
      trace?.events
        .slice(trace.loop ?? 0)
        .map(toldShort)
        .join(),
    ).not.toContain('red=');
  });

  test('a classic meeting without a voting limit is not claimed to end by the clock', () => {
    const { results } = check(aModel(classicTable({ players: 2, votingTime: 0 })));
    expect(results.map(({ name }) => name)).not.toContain('ends-by-the-clock');
    expect(surprises({ results })).toEqual([]);
  });
});

test('no event changes a closed meeting', () => {
  const model = aModel(houseTable({ players: 2 }), { ...KNOBS, stops: true });
  const { stepper } = chooseStepper(model);
  let { point } = stepper.initial();
  const seen = new Map<string, readonly { readonly type: string }[]>();
  for (let steps = 0; point.status === 'active' && steps < 20; steps++) {
    const events = listEvents(model, point);
    seen.set(point.place.name, events);
    const next =
      point.timers[0]?.event ??
      events.find((event) => toldShort(event) === 'red=red blue=red') ??
      events.find(({ type }) => type === 'tick.closed');
    if (next !== undefined) point = stepper.step(point, next).point;
  }
  expect(stateOf(point)).toMatchObject({ at: 'closed', isDone: true });
  expect(listEvents(model, point)).toEqual([]);
  expect([...seen.keys()]).toContain('discussion.bidding');
  for (const event of [...seen.values()].flat()) {
    expect(stepper.step(point, event)).toMatchObject({ point, effects: [], taken: [] });
  }
});

describeLong('coverage', () => {
  const stops: MeetingKnobs = { faults: false, combinations: 'some', departures: 2, stops: true };
  const two = { players: 2, patience: 1 };
  const everything: readonly MeetingModel[] = [
    aModel(houseTable({ patience: 1 })),
    aModel(classicTable({ patience: 1 })),
    aModel(houseTable(two), stops),
    aModel(classicTable(two), stops),
    aModel(houseTable({ ...two, beatMs: 1, maxTicks: 3 }), stops),
    aModel(classicTable({ ...two, beatMs: 1, maxTicks: 4 }), stops),
    aModel(houseTable({ ...two, voteAfter: 1, votingTime: 10 }), { ...stops, faults: true }),
  ];
  const refused = { ...houseTable(two), call: { ...houseTable(two).call, buttonsLeft: 0 } };

  test('every state and every transition of the chart is reached, and no property is violated', () => {
    const found = everything.map(modulo);
    expect(found.flatMap(surprises)).toEqual([]);
    const reports = [...found, check({ ...aModel(refused, KNOBS), properties: [] })].map(
      ({ coverage }) => coverage,
    );
    const neverIn = (pick: (report: (typeof reports)[number]) => readonly string[]) =>
      pick(reports[0] ?? expect.fail()).filter((item) =>
        reports.every((report) => pick(report).includes(item)),
      );
    expect(neverIn(({ unreached }) => unreached)).toEqual([]);
    expect(neverIn(({ untaken }) => untaken.map(({ edge }) => edge))).toEqual([]);
  });
});

test('a trace counts its living lines and no others', () => {
  const ghosts = { present: false, budget: 0 };
  const match = createHeaderMatch(houseTable({}), { name: 'a trace', about: 'its lines', ghosts });
  const journal = new TraceJournal(meetingHeaders(match, 1));
  journal.recordGhosts({ type: 'gallery.closed', turns: 0 });
  const end = journal.record([{ type: 'phase.entered', phase: 'discussion' }]);
  const { lines } = readJournal(journal.text);
  const last = lines.findLast(({ channel }) => channel === 'living')?.seq;
  expect([end, journal.last, journal.record([])]).toEqual([last, last, last]);
});

function modulo(model: MeetingModel) {
  return check(model, { isSymmetric: true, purity: 'some-steps' });
}

function traceOf(results: ReturnType<typeof check>['results']) {
  const verdict = results[0]?.verdict;
  return verdict?.type === 'violated' ? verdict.trace : null;
}
