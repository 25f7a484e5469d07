/** Tallies: how a persona plays, role by role, in shares and means that people talk about. */

import { personaId } from '../../actors/stores/persona.ts';
import { addCounters, type Counters, type GameResult } from '../../actors/stores/result.ts';
import { ROLES, type Role } from '../../machines/types.ts';

/** A share or a mean: what it was counted from, so that it can be added up elsewhere. */
export type Measure = {
  readonly name: string;
  readonly count: number;
  readonly of: number;
  /** Null where there was nothing to count it of. */
  readonly value: number | null;
};

export type Tallies = Readonly<Record<Role, readonly Measure[]>>;

/** What is measured: the counts above the line and those below it. */
type Formula = readonly [name: string, over: readonly string[], under: readonly string[]];

const BALLOTS = ['votes_impostor', 'votes_crewmate', 'votes_skip'];

const COMMON: readonly Formula[] = [
  ['survival', ['survived'], ['games']],
  ['speaking_share', ['messages'], ['heard']],
  ['meetings_unheard', ['unheard'], ['meetings']],
  ['mean_bid', ['desire'], ['bids']],
  ['message_characters', ['characters'], ['spoken']],
  ['first_vote_tick', ['ballot_ticks'], ['ballots']],
  ['skip_share', ['votes_skip'], BALLOTS],
  ['bandwagon_share', ['bandwagon'], ['ballots']],
  ['votes_received_per_meeting', ['accused_by'], ['meetings']],
  ['persuasion', ['followed'], ['later_ballots']],
  ['false_claims', ['claims_false'], ['claims_false', 'claims_true']],
  ['ejected', ['ejected'], ['games']],
  ['ejected_after_a_lie', ['lied_and_ejected'], ['lied']],
  ['faults_per_game', ['faults'], ['games']],
  ['mended_replies', ['repairs'], ['replies']],
  ['refused_orders_per_game', ['refused'], ['games']],
  ['invalid_votes_per_game', ['votes_invalid'], ['games']],
  ['leaks_per_game', ['leaks'], ['games']],
  ['requests_per_game', ['requests'], ['games']],
  ['failed_requests', ['requests_failed'], ['requests']],
  ['tokens_per_game', ['prompt_tokens', 'completion_tokens'], ['games']],
  ['microdollars_per_game', ['microdollars'], ['games']],
];
const OWN: Readonly<Record<Role, readonly Formula[]>> = {
  crewmate: [
    ['vote_accuracy', ['votes_impostor'], ['votes_impostor', 'votes_crewmate']],
    ['tasks_per_game', ['tasks_done'], ['games']],
  ],
  impostor: [
    ['bus_rate', ['votes_impostor'], ['votes_impostor', 'votes_crewmate']],
    ['kills_per_game', ['kills'], ['games']],
  ],
};

export function talliesOf(id: string, results: readonly GameResult[]): Tallies {
  const own = results.flatMap(({ seats }) =>
    seats.filter(({ model, persona }) => personaId({ model, name: persona }) === id),
  );
  const measured = (role: Role) => {
    const seats = own.filter((seat) => seat.role === role);
    const counts = seats.reduce<Counters>((total, { tally }) => addCounters(total, tally), {
      games: seats.length,
    });
    return [...OWN[role], ...COMMON].map((formula) => measure(formula, counts));
  };
  const [crewmate, impostor] = ROLES.map(measured);
  return { crewmate: crewmate ?? [], impostor: impostor ?? [] };
}

function measure([name, over, under]: Formula, counts: Counters): Measure {
  const total = (names: readonly string[]) =>
    names.reduce((all, one) => all + (counts[one] ?? 0), 0);
  const [count, of] = [total(over), total(under)];
  return { name, count, of, value: of === 0 ? null : count / of };
}
