/** The counts of one game for its tested seat. Only the table and the ship of the living count. */
import { z } from 'zod';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import type { Colour, Role } from '../../machines/types.ts';
import { listLosses } from '../counts/losses.ts';
import { knowledgeOf, type SeatKnowledge, weighBallot } from '../observer/judgement.ts';

const count = z.int().nonnegative();

export const figuresSchema = z.strictObject({
  won: z.boolean().nullable().describe('Null where no side has won'),
  ejected: z.boolean(),
  left: z.boolean().describe('It was disconnected, since it did not answer'),
  /** As impostor: ballots of crewmates while the seat was alive, and those against the seat. */
  ballots: count,
  against: count,
  /** As crewmate: meetings that the seat survived until the vote, and its ballots that counted. */
  meetings: count,
  votes: count,
  /** As crewmate, over its ballots against a player: 1 for an impostor, minus the value of a random ballot. */
  gain: z.number(),
  /** As crewmate, over its ballots: the odds of the best ballot minus the odds of its own. */
  regret: z.number(),
  /** Requests at the table and on the ship, and the usable answers in time. */
  asked: count,
  valid: count,
});
export type SeatFigures = z.infer<typeof figuresSchema>;

/** The figures of a seat; null without a complete game. */
export function measureSeat(lines: readonly Line[], seat: Colour): SeatFigures | null {
  const match = gameIn(lines[0]);
  const closed = lines.findLast((line) => line.type === 'game.closed');
  if (match === null || closed === undefined) return null;
  const roles = new Map(match.seats.map(({ colour, role }) => [colour, role ?? 'crewmate']));
  const role = roles.get(seat);
  if (role === undefined) return null;
  const knowledge = role === 'crewmate' ? knowledgeOf(lines, seat) : [];
  const meter = createSeatMeter(seat, roles, knowledge);
  for (const line of lines) if (line.channel === 'living') meter.read(line);
  const side = role === 'impostor' ? 'impostors' : 'crew';
  const won = closed.winner === null ? null : closed.winner === side;
  return { won, ...meter.figures };
}

function createSeatMeter(
  seat: Colour,
  roles: ReadonlyMap<Colour, Role>,
  knowledge: readonly SeatKnowledge[],
) {
  const figures: { -readonly [Name in keyof Omit<SeatFigures, 'won'>]: SeatFigures[Name] } = {
    ejected: false,
    left: false,
    ballots: 0,
    against: 0,
    meetings: 0,
    votes: 0,
    gain: 0,
    regret: 0,
    asked: 0,
    valid: 0,
  };
  const living = new Set(roles.keys());
  let meetings = 0;
  const countTurn = (
    turns: readonly { readonly seat: Colour; readonly fault?: string | undefined }[],
  ) => {
    const own = turns.find((turn) => turn.seat === seat);
    // Turns after a disconnection count as asked and not answered.
    if (own === undefined && !figures.left) return;
    figures.asked += 1;
    if (own !== undefined && own.fault === undefined) figures.valid += 1;
  };
  const countBallot = ({ by, ballot, void: isVoid }: LineOf<'ballot.revealed'>) => {
    if (isVoid || !living.has(seat)) return;
    if (by !== seat) {
      if (roles.get(by) !== 'crewmate') return;
      figures.ballots += 1;
      if (ballot === seat) figures.against += 1;
      return;
    }
    const known = knowledge.find(({ meeting }) => meeting === meetings);
    if (known === undefined || known.teams === 0) return;
    const { chance, regret } = weighBallot(known, ballot, living);
    figures.votes += 1;
    figures.regret += regret;
    if (ballot !== 'skip') figures.gain += (roles.get(ballot) === 'impostor' ? 1 : 0) - chance;
  };
  const read = (line: Extract<Line, { channel: 'living' }>) => {
    if (line.type === 'round.closed') countTurn(line.orders);
    if (line.type === 'meeting.called') meetings += 1;
    if (line.type === 'tick.closed') countTurn(line.bids);
    if (line.type === 'ballot.revealed') countBallot(line);
    if (line.type === 'verdict.announced') {
      if (living.has(seat)) figures.meetings += 1;
      if (line.ejected === seat) figures.ejected = true;
    }
    for (const loss of listLosses(line)) {
      living.delete(loss.seat);
      if (loss.seat === seat && loss.how === 'left') figures.left = true;
    }
  };
  return { figures, read };
}
