/** The extra questions of `check`: planted mistakes are found and play as meetings. */
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { replay } from '../../actors/replay/replay.ts';
import { defaultOptions } from '../../machines/rules/options.ts';
import {
  checkSeatPreference,
  checkSecret,
  checkSilence,
  type ExtraResult,
} from '../../proofs/checks/extraChecks.ts';
import { BOUND, createAdversary } from '../../proofs/models/arbiter.ts';
import {
  createMeetingSystem,
  type MeetingSystem,
  type SystemState,
} from '../../proofs/models/meetingSystem.ts';
import { possibleTalk, publicInputs, smallMeeting } from '../../proofs/models/secrets.ts';
import { performMeeting } from '../../proofs/traces/performMeeting.ts';
import { someWeights } from '../machines/builders.ts';
import { tiesBySeat } from '../proofs/plots.ts';
import { leaking, withBooks } from '../proofs/room.ts';

const SEARCHING = { budget: { states: 200_000, seconds: Number.POSITIVE_INFINITY }, now: () => 0 };
const { weights } = createAdversary(3);

function journalsOf({ verdict }: Pick<ExtraResult, 'verdict'>) {
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
    const kept = checkSilence(createAdversary(3), [BOUND], SEARCHING);
    expect(kept.verdicts).toMatchObject([{ kind: 'bounded', verdict: { type: 'proved' } }]);
    const budget = { states: 9, seconds: 9 };
    const cut = checkSilence(createAdversary(4), [BOUND], { ...SEARCHING, budget });
    expect(cut.verdicts).toMatchObject([{ verdict: { type: 'incomplete' } }]);
    expect(cut.asides[0]?.ended).not.toBeNull();
  });

  test('without the tie rule a meeting leaves a player unheard for longer', () => {
    // W is 4 with this slope, which divides the spread.
    const dividing = someWeights({ silence: { slope: 7, grace: 0, cap: null } });
    const plot = createAdversary(3, { weights: dividing });
    const { verdicts } = checkSilence(plot, [BOUND], SEARCHING, tiesBySeat);
    const [verdict = expect.fail('nothing was judged')] = verdicts;
    expect(verdict.verdict.type).toBe('violated');
    expect(verdict.shown?.steps.at(-1)?.changes[0]).toMatch(/has the floor$/);
    const [lines = []] = journalsOf({ verdict });
    const floors = floorsIn(lines);
    expect(floors.length).toBeGreaterThan(4);
    expect(floors.slice(-5)).not.toContain('green');
  });
});

describe('no seat is preferred', () => {
  test('is proved', () => {
    expect(checkSeatPreference(weights, SEARCHING).verdict.verdict.type).toBe('proved');
  });

  test('is broken where ties go by seat: two meetings side by side', () => {
    const found = checkSeatPreference(weights, SEARCHING, tiesBySeat);
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

  test('only a confirmed ejection reveals a role', () => {
    const found = checkSecret('roles-do-not-interfere', { ...options, patience: 1 }, SEARCHING);
    expect(found.verdict.verdict).toMatchObject({ type: 'proved' });
  });

  test('a meeting that was stepped by hand is one that the real actors play again to the byte', async () => {
    const { setting, players, ghostBudget } = smallMeeting();
    const system = createMeetingSystem({ setting, players, ghostBudget });
    const next = (state: SystemState) =>
      publicInputs(state, state, (seat, isTalk) => possibleTalk(seat, isTalk).slice(-1)).at(-1)
        ?.left ?? null;
    const title = { name: 'a room', about: '' };
    const { text } = performMeeting({ system, setting, ghostBudget, title, next });
    const journal = readJournal(text);
    expect(journal.lines.map(({ type }) => type)).toContain('meeting.closed');
    expect(await replay(journal)).toMatchObject({ type: 'same', unfinished: false });
  });

  /** Ghost chat counts towards the nudge's budget. */
  const chatty = (system: MeetingSystem) =>
    leaking(system, (_, { state, observations }) =>
      observations.some(
        ({ type, ...observation }) =>
          type === 'murmured' && JSON.stringify(observation).includes('red is the killer'),
      )
        ? withBooks(state, (floor) => ({ ...floor, tokens: floor.tokens + 100 }))
        : state,
    );

  test('planted: the chat of ghosts counts for the nudge, and two meetings show it', () => {
    const found = checkSecret('ghosts-do-not-interfere', options, SEARCHING, chatty);
    expect(found.verdict.verdict.type).toBe('violated');
    expect(found.verdict.shown?.steps.map(({ beside }) => beside)).toContain(
      'Pink asked to speak: “red lied! red is the killer, believe me”',
    );
    expect(found.verdict.shown?.note).toMatch(/^Here the two part: /);
    const [one = [], other = []] = journalsOf(found);
    const chat = (lines: Lines) => lines.filter(({ type }) => type === 'turn.closed').length;
    expect(chat(other)).toBeGreaterThan(chat(one));
  });
});
