/**
 * Scores of each player, worked out from the rows of the tables, so that a score is what a query finds there.
 *
 * A score that does not apply to a player, or is not known because the match goes on, is left out: an impostor has no
 * accuracy of votes, and nobody has survived yet.
 */
import type { Journal } from '../../actors/engine/journal/reader.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';
import type { RowOf, TableName, TableRow } from '../tables/columns.ts';
import { tabulate } from '../tables/rows.ts';
import type { InspectResult, InspectScore } from './format.ts';

export const SCORE_NAMES = [
  'won',
  'survived',
  'vote_accuracy',
  'kills',
  'tasks',
  'answered',
] as const;
export type ScoreName = (typeof SCORE_NAMES)[number];
export type SeatScores = Readonly<Partial<Record<ScoreName, InspectScore>>>;

export type ScoredSeat = RowOf<'seats'> & {
  readonly colour: Colour;
  readonly scores: SeatScores;
};

export type ScoredMatch = {
  readonly game: RowOf<'games'>;
  readonly seats: readonly ScoredSeat[];
};

/** Scores all players in the order of the lobby; null for what has no first line. */
export function scoreMatch(journal: Journal): ScoredMatch | null {
  const rows = collectRows(journal);
  const [game] = rows.games;
  if (game === undefined) return null;
  const seats = rows.seats.flatMap((seat) => {
    const colour = COLOURS.find((one) => one === seat.seat);
    return colour === undefined ? [] : [{ ...seat, colour, scores: scoreSeat(seat, game, rows) }];
  });
  return { game, seats };
}

/** Tables that scores are worked out from. */
const SCORED = ['games', 'seats', 'ballots', 'bids', 'orders', 'events'] as const;
type ScoredTable = (typeof SCORED)[number];
type ScoredRows = { readonly [Name in ScoredTable]: RowOf<Name>[] };

function collectRows(journal: Journal): ScoredRows {
  const rows: ScoredRows = { games: [], seats: [], ballots: [], bids: [], orders: [], events: [] };
  tabulate(journal, { name: '', answers: [], deduces: false }, (table, row) => {
    if (isScored(table)) (rows[table] as TableRow[]).push(row); // `tabulate` hands each table its own rows
  });
  return rows;
}

function isScored(table: TableName): table is ScoredTable {
  return SCORED.some((one) => one === table);
}

function scoreSeat(seat: RowOf<'seats'>, game: RowOf<'games'>, rows: ScoredRows): SeatScores {
  const isImpostor = seat.role === 'impostor';
  const isGame = game.kind === 'game';
  return {
    ...scoreWin(seat, game),
    ...(game.ended === true ? scoreSurvival(seat) : {}),
    ...(isImpostor ? {} : scoreVotes(seat, rows)),
    ...(isGame && isImpostor ? { kills: scoreKills(seat, rows) } : {}),
    ...(isGame && !isImpostor ? { tasks: scoreTasks(seat, rows) } : {}),
    ...scoreAnswers(seat, rows),
  };
}

function createScore(value: number, explanation: string, answer: string | null = null) {
  const history: [] = [];
  return { value, answer, explanation, history };
}

function scoreWin({ won }: RowOf<'seats'>, { winner, reason }: RowOf<'games'>): SeatScores {
  if (won === null) return {};
  return { won: createScore(won ? 1 : 0, `the winner: ${winner} (${reason})`, winner) };
}

function scoreSurvival({ fate, fate_round, fate_meeting }: RowOf<'seats'>): SeatScores {
  // Nobody can lose a life that was lost before the match.
  if (fate === 'dead') return {};
  const when =
    fate_round !== null
      ? ` in round ${fate_round}`
      : fate_meeting !== null
        ? ` in meeting ${fate_meeting}`
        : '';
  return { survived: createScore(fate === 'alive' ? 1 : 0, `${fate}${when}`, fate) };
}

/** Of the ballots that counted and were for a player, how many were for an impostor. */
function scoreVotes({ seat }: RowOf<'seats'>, { ballots }: ScoredRows): SeatScores {
  const own = ballots.filter(
    (one) => one.voter === seat && one.void === false && one.ballot !== 'skip',
  );
  if (own.length === 0) return {};
  const right = own.filter(({ ballot_role: role }) => role === 'impostor').length;
  const text = `${right} of ${own.length} ballots for a player were for an impostor`;
  return {
    vote_accuracy: createScore(
      right / own.length,
      text,
      own.map(({ ballot }) => ballot).join(', '),
    ),
  };
}

function scoreKills({ seat }: RowOf<'seats'>, { events }: ScoredRows): InspectScore {
  const own = events.filter((one) => one.type === 'player.killed' && one.seat === seat);
  const victims = own.map(({ other }) => other).join(', ');
  return createScore(own.length, `killed: ${victims === '' ? 'no player' : victims}`);
}

function scoreTasks({ seat }: RowOf<'seats'>, { events }: ScoredRows): InspectScore {
  const own = events.filter(
    (one) => one.type === 'task.stepped' && one.done === true && one.seat === seat,
  );
  const tasks = own.map(({ what }) => what).join(', ');
  return createScore(own.length, `finished: ${tasks === '' ? 'no task' : tasks}`);
}

function scoreAnswers({ seat }: RowOf<'seats'>, { bids, orders }: ScoredRows): SeatScores {
  const asked = [...bids, ...orders].filter((one) => one.seat === seat);
  if (asked.length === 0) return {};
  const faults = asked.flatMap(({ fault }) => fault ?? []);
  const answers = asked.length - faults.length;
  const codes = [...new Set(faults)].toSorted().join(', ');
  const text = `${answers} of ${asked.length} requests were answered`;
  return {
    answered: createScore(
      answers / asked.length,
      codes === '' ? text : `${text}; faults: ${codes}`,
    ),
  };
}

/** The mean of each score over the players who have it, and over those of each role. */
export function summarizeScores(seats: readonly ScoredSeat[]): InspectResult[] {
  return SCORE_NAMES.flatMap((name) => {
    const scored = seats.flatMap(({ role, scores }) => {
      const score = scores[name];
      return score === undefined ? [] : [{ role, value: score.value }];
    });
    if (scored.length === 0) return [];
    const groups = {
      mean: scored,
      crewmate: scored.filter(({ role }) => role === 'crewmate'),
      impostor: scored.filter(({ role }) => role === 'impostor'),
    };
    const metrics = Object.entries(groups).flatMap(([metric, group]) => {
      if (group.length === 0) return [];
      const value = group.reduce((sum, one) => sum + one.value, 0) / group.length;
      return [[metric, { name: metric, value, params: {} }] as const];
    });
    return {
      name,
      scorer: name,
      scored_samples: scored.length,
      unscored_samples: seats.length - scored.length,
      params: {},
      metrics: Object.fromEntries(metrics),
    };
  });
}
