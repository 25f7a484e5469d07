/** The anchors of the benchmark play as described, and their games follow from the plan. */
import { expect, test } from 'vitest';
import { readJournal } from '../../../actors/engine/journal/reader.ts';
import { makeTable, type TestedMind } from '../../../analysis/benchmark/definition.ts';
import { inspectGame } from '../../../analysis/benchmark/inspect.ts';
import { ANCHORS, type Anchor } from '../../../analysis/benchmark/sizes.ts';

const play = async (anchor: Anchor, table: number) => {
  const tested: TestedMind = { mind: 'anchor', anchor };
  const task = { table, sitter: 'tested', tested, isChecked: true } as const;
  const played = await inspectGame({ ...task, text: null, keepsText: true });
  const { text = '', record, conduct } = played;
  const again = await inspectGame({ ...task, text });
  expect(again).toEqual({ record, conduct, findings: [] });
  const { seat } = makeTable(table);
  const { lines } = readJournal(text);
  const said = lines.flatMap((line) =>
    line.type === 'tick.closed' && line.said?.speaker === seat && line.said.message !== ''
      ? [line.said.message]
      : [],
  );
  const ballots = lines.flatMap((line) =>
    line.type === 'vote.locked' && line.seat === seat ? [line.ballot] : [],
  );
  return { record, said, ballots };
};

/** A crewmate who sees others before a meeting. */
const CREWMATE = 4;

test.each(ANCHORS)('%s plays the same game from the plan alone, as it should', async (anchor) => {
  const { record, said, ballots } = await play(anchor, CREWMATE);
  expect(record?.requests).toBe(0);
  if (anchor === 'silent') expect(record?.figures).toMatchObject({ left: true, valid: 0 });
  else expect(record?.figures.valid).toBe(record?.figures.asked);
  if (anchor === 'skip') expect(new Set(ballots)).toEqual(new Set(['skip']));
  if (anchor === 'oracle') expect(said.join(' ')).toMatch(/^I saw \w+ .*in /);
  else if (anchor !== 'random' && anchor !== 'liar') expect(said).toEqual([]);
});

/** Three impostors' tables: of five, eight and ten players. */
test.each([1, 5, 9])(
  'at table %i, liar swears to a crime of a crewmate and votes for them',
  async (table) => {
    const { said, ballots } = await play('liar', table);
    expect(said.length).toBeGreaterThan(0);
    for (const one of said) expect(one).toMatch(/^I saw \w+ (?:kill \w+|vent)\.$/);
    const crew = makeTable(table).others.flatMap(({ colour, role }) =>
      role === 'crewmate' ? [colour] : [],
    );
    expect(ballots.length).toBeGreaterThan(0);
    for (const ballot of ballots) expect(crew).toContain(ballot);
    const accused = said.map((one) => one.split(' ')[2]?.toLowerCase());
    expect(accused).toEqual(expect.arrayContaining(ballots));
  },
);
