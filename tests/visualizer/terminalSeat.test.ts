/** The seat of a person in a terminal: what they read, and what they type. */
import { describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../actors/engine/clock.ts';
import { Recorder } from '../../actors/engine/journal/recorder.ts';
import { MemorySink } from '../../actors/engine/journal/sink.ts';
import { createMatch, startMatch } from '../../actors/engine/match.ts';
import { HumanMind } from '../../actors/minds/human/humanMind.ts';
import { plainGame } from '../../machines/setup/prepare.ts';
import type { TurnPrompt } from '../../machines/turnPrompt.ts';
import type { Role } from '../../machines/types.ts';
import { countColumns } from '../../visualizer/terminal/layout.ts';
import { TerminalSeat, type TypingTerminal } from '../../visualizer/terminal/seat.ts';

const [COLUMNS, ROWS] = [80, 24];
/** Milliseconds that the game waits for a living person. */
const WAIT = 90_000;

type Turn = { readonly offer: TurnPrompt; readonly rows: readonly string[] };
type PlayOptions = {
  readonly seed: number;
  readonly role: Role;
  /** The lines that the person types. */
  readonly type: (turn: Turn) => readonly string[];
};

/** Plays a game of eight as Red in a terminal of 80 columns. */
async function play({ seed, role, type }: PlayOptions) {
  const clock = new SimulatedClock();
  const desk = new HumanMind({
    seat: 'red',
    waits: { table: WAIT, ship: WAIT },
    graceMs: WAIT,
    now: () => clock.elapsed,
    clock,
  });
  const printed: string[] = [];
  let onLine: (line: string) => void = () => {};
  const terminal: TypingTerminal = {
    isTerminal: true,
    columns: () => COLUMNS,
    open: (listener) => {
      onLine = listener.onLine;
    },
    setPrompt: () => {},
    prompt: () => {},
    clearLine: () => {},
    print: (line) => printed.push(line),
    close: () => {},
  };
  const surroundings = {
    terminal,
    now: () => clock.elapsed,
    every: () => () => {},
    soon: () => {},
  };
  const seat = new TerminalSeat(desk, surroundings);
  seat.open();
  const turns: Turn[] = [];
  let from = 0;
  let last = 0;
  desk.watch(() => {
    const { asked } = desk.seating;
    if (asked === null || asked.id === last) return;
    last = asked.id;
    const turn = { offer: asked.offer, rows: printed.slice(from) };
    from = printed.length;
    turns.push(turn);
    for (const line of type(turn)) onLine(line);
  });
  const lobby = plainGame(8);
  const seats = lobby.seats.map((each) =>
    each.colour === 'red' ? { ...each, mind: 'human' as const, role } : each,
  );
  const options = { ...lobby.options, deadline_ms: WAIT, round_deadline_ms: WAIT };
  const creation = createMatch({ ...lobby, seats, options }, seed, () => desk.mind);
  if (!creation.ok) throw new Error('the lobby makes no sense');
  const recorder = new Recorder({ sink: new MemorySink() });
  await startMatch({ ...creation.ready, clock, recorder }).result;
  seat.close();
  return { turns, printed };
}

/** Does the first actions in turn, and skips the vote. */
function plain({ offer }: Turn): readonly string[] {
  if (offer.kind === 'action') return [String(1 + (offer.index % 3))];
  return [offer.ballots.length > 0 ? '/vote skip' : ''];
}

test.each([
  { seed: 3, role: 'crewmate' },
  { seed: 3, role: 'impostor' },
  { seed: 6, role: 'crewmate' },
] as const)(
  'a turn on the ship fits 24 lines of 80 columns and breaks no word (seed $seed, $role)',
  async ({ seed, role }) => {
    const { turns } = await play({ seed, role, type: plain });
    const onShip = turns.filter(({ offer }) => offer.kind === 'action');
    expect(onShip.length).toBeGreaterThan(4);
    for (const { offer, rows } of onShip) {
      // One more line is the prompt.
      expect(rows.length).toBeLessThan(ROWS);
      expect(Math.max(...rows.map(countColumns))).toBeLessThanOrEqual(COLUMNS);
      const text = rows.map((row) => row.trim()).join(' ');
      for (const words of [...offer.news, ...offer.seen.slice(-4)]) expect(text).toContain(words);
      for (const { does, what } of offer.actions)
        if (does !== 'Go to' && does !== 'Shut the doors of') expect(text).toContain(what);
      expect(text).not.toContain('Go to');
      expect(text).not.toMatch(/\b(?:red|blue|green|pink|orange|yellow|black|white)\b/);
    }
    const doing = onShip.flatMap(
      ({ offer }) => /^(?:doing|faking) (.+)/.exec(offer.goesOn ?? '')?.[1] ?? [],
    );
    if (role === 'crewmate') expect(doing).not.toEqual([]);
    expect(doing.filter((task) => !/^[A-Z]/.test(task))).toEqual([]);
    const sights = onShip.flatMap(({ rows }) => rows.filter((row) => row.includes(' s ago, ')));
    expect(sights).toContainEqual(expect.stringMatching(/^ {4}\d+\.5 s ago, [A-Z]/));
  },
);

test('a room is named to go there, by a beginning that fits one room', async () => {
  const typed = [['go', 'go s', 'go stor'], ['']];
  const { turns, printed } = await play({
    seed: 3,
    role: 'crewmate',
    type: (turn) => typed.shift() ?? plain(turn),
  });
  const refused = printed.filter((row) => row.includes('Expected go and one of: Weapons, O2'));
  expect(refused).toHaveLength(2);
  expect(turns[1]?.offer.goesOn ?? turns[1]?.offer.scene?.place).toMatch(/Storage/);
});

describe('a dead person', () => {
  test('just watches, and is told so once', async () => {
    const { turns, printed } = await play({ seed: 3, role: 'crewmate', type: plain });
    expect(turns.filter(({ offer }) => offer.you.isDead)).toEqual([]);
    expect(printed.filter((row) => row.includes('You just watch'))).toHaveLength(1);
  });

  test('takes part after /talk, and no longer after /watch', async () => {
    const typed = [['/talk', '1']];
    let ghostTurns = 0;
    const { printed } = await play({
      seed: 3,
      role: 'crewmate',
      type: (turn) => {
        if (!turn.offer.you.isDead) return typed.shift() ?? plain(turn);
        ghostTurns += 1;
        return ghostTurns === 2 ? ['/watch'] : ['I know who did it.'];
      },
    });
    expect(ghostTurns).toBe(2);
    expect(printed.filter((row) => row.includes('You just watch'))).toHaveLength(1);
  });
});
