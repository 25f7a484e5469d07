/** Results that no game of a league can have, whatever their hashes say. A replay by `verify` compares everything. */
import { canonical } from '../../machines/journal/canonical.ts';
import { defaultGameOptions } from '../../machines/rules/options.ts';
import { DRAWS, VICTORIES } from '../../machines/rules/ship/world.ts';
import { StoreDamaged } from '../stores/errors.ts';
import type { GameResult, ResultAudit, ResultDamage } from '../stores/result.ts';
import type { Store } from '../stores/store.ts';
import { cleanLessons } from './knowledge.ts';
import { type LeaguePlan, personaNameOf, scheduleLeague } from './plan.ts';
import type { ScheduledGame } from './schedule.ts';

/** The largest counter: microdollars of a million dollars. */
const MOST_COUNTED = 1e12;

/** Results that the schedule or the rules exclude are damages. */
export async function auditLeague(store: Store, plan: LeaguePlan): Promise<ResultAudit> {
  const fixtures = scheduleLeague(plan);
  const { results, damages, missing } = await store.audit(plan.league.name);
  const sound: GameResult[] = [];
  const wrong: ResultDamage[] = [];
  for (const result of results) {
    const { slot } = result;
    const text = findImpossible(plan, fixtures[slot], result);
    if (text === null) sound.push(result);
    else wrong.push({ slot, code: 'league/damaged-result', text });
  }
  return { results: sound, damages: [...damages, ...wrong], missing };
}

export function expectPossible(plan: LeaguePlan, fixture: ScheduledGame, result: GameResult): void {
  const text = findImpossible(plan, fixture, result);
  if (text !== null) throw new StoreDamaged(`league ${JSON.stringify(result.league)}, ${text}`);
}

function findImpossible(...asked: Parameters<typeof judgeResult>): string | null {
  const why = judgeResult(...asked);
  const words = `game ${asked[2].slot + 1}: the result is of no game of this league`;
  return why === null ? null : `${words}: ${why}`;
}

/** Why no game can have this result; null if one may. */
function judgeResult(
  { league }: LeaguePlan,
  fixture: ScheduledGame | undefined,
  { seats, seed, winner, reason, rounds, meetings }: GameResult,
): string | null {
  if (fixture === undefined || fixture.seed !== seed) return 'the schedule has no such game';
  const expected = fixture.table.map(({ colour, role, persona }) => {
    const member = league.personas[persona];
    return [colour, role, member === undefined ? null : personaNameOf(member)];
  });
  const found = seats.map(({ colour, role, ...seat }) => {
    return [colour, role, { model: seat.model, name: seat.persona }];
  });
  if (canonical(found) !== canonical(expected)) return 'the schedule has other players in it';
  const endings: readonly string[] = winner === null ? DRAWS : VICTORIES;
  if (!endings.includes(reason)) return `${winner ?? 'nobody'} cannot win by ${reason}`;
  const winners = winner === 'impostors' ? 'impostor' : 'crewmate';
  if (seats.some(({ role, won }) => won !== (winner !== null && role === winners)))
    return 'players have won who are not on the side that won';
  const { max_rounds: most } = {
    ...defaultGameOptions(league.players, league.rules),
    ...league.options,
  };
  if (most !== undefined && rounds > most) return `${rounds} rounds of ${most}`;
  if (meetings > rounds) return `${meetings} meetings in ${rounds} rounds`;
  const counters = seats.flatMap(({ tally }) => Object.entries(tally));
  const odd = counters.find(
    ([name, count]) => !/^[a-z0-9_]+$/.test(name) || count < 0 || count > MOST_COUNTED,
  );
  if (odd !== undefined) return `a player cannot have ${odd[1]} of ${JSON.stringify(odd[0])}`;
  const isLearned = (learned: readonly string[] | null) =>
    learned === null || canonical(cleanLessons(learned)) === canonical(learned);
  return seats.every(({ learned }) => isLearned(learned)) ? null : 'lessons are not as any is kept';
}
