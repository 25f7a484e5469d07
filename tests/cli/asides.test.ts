/** What is asked beside the meeting's own search: mistakes that are planted are shown, and played as meetings. */
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { replay } from '../../actors/replay/replay.ts';
import { evenHanded, silentAtMost } from '../../cli/check/arbiter.ts';
import type { Asked } from '../../cli/check/asked.ts';
import { companyOf } from '../../cli/check/hearing.ts';
import { recited } from '../../cli/check/recital.ts';
import { secretKept } from '../../cli/check/secrets.ts';
import { defaultOptions } from '../../machines/rules/options.ts';
import { aPlot } from '../../proofs/models/arbitration.ts';
import type { Company, Ensemble } from '../../proofs/models/ensemble.ts';
import { publicDoses, roomCast, same, talk } from '../../proofs/models/room.ts';
import { someWeights } from '../machines/builders.ts';
import { tiesBySeat } from '../proofs/plots.ts';
import { leaking, withBooks } from '../proofs/room.ts';

const SEARCHING = {
  budget: { states: 200_000, seconds: Number.POSITIVE_INFINITY },
  now: () => 0,
};
const { weights } = aPlot(3);

function journalsOf({ verdict }: Asked) {
  const sheets = verdict.shown?.journals() ?? expect.fail('nothing is shown');
  return sheets.map(({ text }) => {
    const { lines, damages } = readJournal(text);
    expect(damages).toEqual([]);
    return lines;
  });
}

type Lines = ReturnType<typeof journalsOf>[number];

function floorsIn(lines: Lines) {
  return lines.flatMap((line) => (line.type === 'tick.closed' ? [line.floor] : []));
}

describe('the bound on silence', () => {
  test('is proved for the shipped weights, and a budget decides nothing', () => {
    const kept = silentAtMost(weights, 3, SEARCHING);
    expect(kept).toMatchObject({ verdict: { kind: 'bounded', verdict: { type: 'proved' } } });
    const cut = silentAtMost(weights, 4, { ...SEARCHING, budget: { states: 9, seconds: 9 } });
    expect(cut).toMatchObject({ verdict: { verdict: { type: 'incomplete' } } });
    expect(cut.aside.ended).not.toBeNull();
  });

  test('is broken where ties go by seat: a meeting in which somebody is not heard for longer', () => {
    // W is 4 with this slope, which divides the spread.
    const dividing = someWeights({ silence: { slope: 7, grace: 0, cap: null } });
    const found = silentAtMost(dividing, 3, SEARCHING, tiesBySeat);
    expect(found.verdict.verdict.type).toBe('violated');
    expect(found.verdict.shown?.steps.at(-1)?.changes[0]).toMatch(/has the floor$/);
    const [lines = []] = journalsOf(found);
    const floors = floorsIn(lines);
    expect(floors.length).toBeGreaterThan(4);
    expect(floors.slice(-5)).not.toContain('green');
  });
});

describe('no seat is preferred', () => {
  test('is proved', () => {
    expect(evenHanded(weights, SEARCHING).verdict.verdict.type).toBe('proved');
  });

  test('is broken where ties go by seat: two meetings side by side', () => {
    const found = evenHanded(weights, SEARCHING, tiesBySeat);
    expect(found.verdict.verdict.type).toBe('violated');
    const last = found.verdict.shown?.steps.at(-1);
    expect(last?.happened).toContain('red has the floor');
    expect(last?.beside).toContain('red has the floor');
    const both = journalsOf(found);
    expect(both.map(floorsIn).map((floors) => floors.at(-1))).toEqual(['red', 'red']);
  });
});

describe('secrets', () => {
  const options = { ...defaultOptions(3), tokenTarget: 100 };

  test('roles show in nothing but what a confirmed ejection tells, though somebody is sent away', () => {
    const found = secretKept('roles-do-not-interfere', { ...options, patience: 1 }, SEARCHING);
    expect(found.verdict.verdict).toMatchObject({ type: 'proved' });
  });

  test('a meeting that was stepped by hand is one that the real actors play again to the byte', async () => {
    const { setting, players, ghostBudget } = roomCast();
    const company = companyOf({ setting, players, ghostBudget });
    const next = (ensemble: Ensemble) =>
      publicDoses(ensemble, ensemble, (seat, isTalk) => same(talk(seat, isTalk).slice(-1))).at(-1)
        ?.left ?? null;
    const title = { name: 'a room', about: '' };
    const { text, facts } = recited({ company, setting, ghostBudget, title, next });
    expect(facts.map(({ type }) => type)).toContain('meeting.closed');
    expect(await replay(readJournal(text))).toMatchObject({ type: 'same', unfinished: false });
  });

  /** The chat of the ghosts counts in the budget of the nudge. */
  const chatty = (company: Company) =>
    leaking(company, (_, { ensemble, sights }) =>
      sights.some(
        ({ type, ...sight }) =>
          type === 'murmured' && JSON.stringify(sight).includes('red is the killer'),
      )
        ? withBooks(ensemble, (floor) => ({ ...floor, tokens: floor.tokens + 100 }))
        : ensemble,
    );

  test('planted: the chat of ghosts counts for the nudge, and two meetings show it', () => {
    const found = secretKept('ghosts-do-not-interfere', options, SEARCHING, chatty);
    expect(found.verdict.verdict.type).toBe('violated');
    expect(found.verdict.shown?.steps.map(({ beside }) => beside)).toContain(
      'pink asked to speak: “red lied! red is the killer, believe me”',
    );
    expect(found.verdict.shown?.note).toMatch(/^Here the two part: /);
    const [one = [], other = []] = journalsOf(found);
    const chat = (lines: Lines) => lines.filter(({ type }) => type === 'turn.closed').length;
    expect(chat(other)).toBeGreaterThan(chat(one));
  });
});
