/**
 * Ratios as SQL over the tables. An id is the name of the measure and its groups, such as `vote_accuracy/gpt-5_leader`.
 * SQLite and DuckDB both run every query, so it casts no boolean and divides only doubles.
 */
import { CLAIM_TYPES } from '../../prompts/claims/claims.ts';
import type { ReportUnit } from './model.ts';

export type ReportMeasure = {
  readonly name: string;
  readonly kind: 'share' | 'mean' | 'count';
  readonly unit: ReportUnit;
  /** A sentence without a full stop. */
  readonly about: string;
  /** Returns `id`, `seed`, `hits` and `cases`. */
  readonly items: string;
};

const share = (name: string, about: string, items: string): ReportMeasure => {
  return { name, kind: 'share', unit: 'share', about, items };
};
const mean = (name: string, unit: ReportUnit, about: string, items: string): ReportMeasure => {
  return { name, kind: 'mean', unit, about, items };
};

/** The last meeting of a curve, because few games have more. */
export const MOST_MEETINGS = 8;

/** The player `p` was alive when the meeting `m` was called. */
const WAS_ALIVE = `(p.fate = 'alive' or case when p.fate_meeting is not null then p.fate_meeting >= m.meeting else coalesce(p.fate_round >= m.round, false) end)`;

const changeItems = (name: string, column: string) =>
  `select '${name}/' || p.who_id || '/' || p.role || '/' || c."by" as id, p.seed, c.${column} as hits, 1 as cases
from counterfactuals c join players p on p.journal = c.journal and p.seat = c.seat
where c.what = 'messages' and c.${column} is not null`;

export const BELIEF_BINS = 10;

const beliefItems = (name: string, parts: string, hits: string, where = '1 = 1') =>
  `select '${name}/' || ${parts} as id, p.seed, ${hits} as hits, 1 as cases
from beliefs b join players p on p.journal = b.journal and p.seat = b.seat
where p.role = 'crewmate' and b.probability is not null and ${where}`;

const BIN = `case when b.probability >= 1 then ${BELIEF_BINS} else 1 + cast(floor(b.probability * ${BELIEF_BINS}) as integer) end`;
const IS_IMPOSTOR = 'case when b.impostor then 1 else 0 end';

const OWN_CALLS = `c.request_kind is distinct from 'belief'`;

const REPLIES = `(select journal, seat, fault, notes from bids where channel = 'living' union all select journal, seat, fault, notes from orders)`;

const replyItems = (name: string, hits: string, where: string) =>
  `select '${name}/' || p.label_id as id, min(p.seed) as seed, sum(case when ${hits} then 1 else 0 end) as hits, count(*) as cases
from ${REPLIES} r join players p on p.journal = r.journal and p.seat = r.seat where ${where}
group by p.journal, p.label_id`;

const callItems = (name: string, hits: string, where: string) =>
  `select '${name}/' || p.label_id as id, p.seed, ${hits} as hits, 1 as cases
from calls c join players p on p.journal = c.journal and p.seat = c.seat where ${OWN_CALLS} and ${where}`;

const spentItems = (name: string, amount: string) =>
  `select '${name}/' || p.who_id as id, min(p.seed) as seed, sum(${amount}) as hits, 1 as cases
from calls c join players p on p.journal = c.journal and p.seat = c.seat where ${OWN_CALLS}
group by p.journal, p.seat, p.who_id having count(${amount}) = count(*)`;

export const MEASURES: readonly ReportMeasure[] = [
  share(
    'sides',
    'decided games that a side has won',
    `select 'sides/' || s.side as id, d.seed, case when d.winner = s.side then 1 else 0 end as hits, 1 as cases
from decided d cross join (select 'crew' as side union all select 'impostors') s`,
  ),
  share(
    'sides_by_size',
    'decided games that the impostors have won, by players and impostors at the table',
    `select 'sides_by_size/' || players || '/' || impostors as id, seed, case when winner = 'impostors' then 1 else 0 end as hits, 1 as cases
from decided`,
  ),
  {
    name: 'endings',
    kind: 'count',
    unit: 'count',
    about: 'games by who has won and by what',
    items: `select 'endings/' || coalesce(winner, 'nobody') || '/' || coalesce(reason, 'cut off') as id, seed, 1 as hits, 1 as cases
from games where kind = 'game'`,
  },
  share(
    'crossplay',
    'decided games with the first persona among the impostors only and the second one in the crew only that the impostors have won',
    `select 'crossplay/' || i.who_id || '/' || c.who_id as id, i.seed, case when i.won then 1 else 0 end as hits, 1 as cases
from sides i join sides c on c.journal = i.journal and i.role = 'impostor' and c.role = 'crewmate'
left join sides b on b.journal = i.journal and b.who = i.who and b.role = 'crewmate'
left join sides d on d.journal = c.journal and d.who = c.who and d.role = 'impostor'
where b.who is null and d.who is null`,
  ),
  share(
    'vote_accuracy',
    'ballots of crewmates for a player that were for an impostor',
    `select 'vote_accuracy/' || p.who_id as id, p.seed, case when b.ballot_role = 'impostor' then 1 else 0 end as hits, 1 as cases
from ballots b join players p on p.journal = b.journal and p.seat = b.voter
where p.role = 'crewmate' and b.ballot_role is not null`,
  ),
  share(
    'not_ejected',
    'meetings that a living impostor left without an ejection of their own',
    `select 'not_ejected/' || p.who_id as id, p.seed, case when m.ejected = p.seat then 0 else 1 end as hits, 1 as cases
from meetings m join players p on p.journal = m.journal
where p.role = 'impostor' and m.outcome is not null and ${WAS_ALIVE}`,
  ),
  share(
    'persuasion',
    'ballots of others, locked in a later tick than an accusation, for a player whom the speaker had accused',
    `select min('persuasion/' || p.who_id || '/' || p.role) as id, min(p.seed) as seed, max(case when c.about = b.ballot then 1 else 0 end) as hits, 1 as cases
from ballots b
join claims c on c.journal = b.journal and c.meeting = b.meeting and c.type = 'accusation' and c."by" <> b.voter and c.tick < b.locked_tick
join players p on p.journal = c.journal and p.seat = c."by"
group by b.journal, b.line, c."by"`,
  ),
  share(
    'accusations',
    'accusations of crewmates, each player once a message, that are against an impostor',
    `select 'accusations/' || p.who_id as id, p.seed, case when c.about_role = 'impostor' then 1 else 0 end as hits, 1 as cases
from claims c join players p on p.journal = c.journal and p.seat = c."by"
where c.type = 'accusation' and p.role = 'crewmate'`,
  ),
  share(
    'votes_by_meeting',
    'ballots of crewmates for a player that were for an impostor, by the number of the meeting',
    `select 'votes_by_meeting/' || b.meeting as id, g.seed, case when b.ballot_role = 'impostor' then 1 else 0 end as hits, 1 as cases
from ballots b join games g using (journal)
where b.voter_role = 'crewmate' and b.ballot_role is not null and b.meeting <= ${MOST_MEETINGS}`,
  ),
  share(
    'causal_ejection',
    'messages that, taken back, change whom the meeting ejects',
    changeItems('causal_ejection', 'ejected_changed'),
  ),
  share(
    'causal_winner',
    'messages that, taken back, change who wins; those that were played on to the end',
    changeItems('causal_winner', 'winner_changed'),
  ),
  mean(
    'causal_ballots',
    'ballots',
    'ballots of the meeting that differ when a message is taken back, in the mean',
    changeItems('causal_ballots', 'ballots_changed'),
  ),
  mean(
    'claims_made',
    'claims',
    'claims of a kind that the reader finds, for each seat and game',
    `select 'claims_made/' || p.who_id || '/' || p.role || '/' || t.type as id, min(p.seed) as seed, count(c.line) as hits, 1 as cases
from players p cross join (${CLAIM_TYPES.map((type) => `select '${type}' as type`).join(' union all ')}) t
left join claims c on c.journal = p.journal and c."by" = p.seat and c.type = t.type
group by p.journal, p.seat, p.who_id, p.role, t.type`,
  ),
  share(
    'false_places',
    'claims of place and time that the ship contradicts, of those that it can judge',
    `select 'false_places/' || p.who_id || '/' || p.role as id, p.seed, case when c.truth = 'false' then 1 else 0 end as hits, 1 as cases
from claims c join players p on p.journal = c.journal and p.seat = c."by"
where c.truth in ('true', 'false')`,
  ),
  mean(
    'belief_brier',
    'score',
    'mean square of the difference between the belief of a crewmate that another player is an impostor and the truth, by the moment of the question',
    beliefItems(
      'belief_brier',
      "p.who_id || '/' || b.moment",
      `power(b.probability - ${IS_IMPOSTOR}, 2)`,
    ),
  ),
  {
    name: 'belief_auc',
    kind: 'share',
    unit: 'odds',
    about:
      'pairs of an impostor and a crewmate in the beliefs of a crewmate at one moment, with the impostor suspected more; equal ones count half',
    items: `select 'belief_auc/' || p.who_id || '/' || i.moment as id, p.seed,
  case when i.probability > c.probability then 1 when i.probability = c.probability then 0.5 else 0 end as hits, 1 as cases
from beliefs i
join beliefs c on c.journal = i.journal and c.meeting = i.meeting and c.moment = i.moment and c.tick is not distinct from i.tick and c.seat = i.seat
join players p on p.journal = i.journal and p.seat = i.seat
where p.role = 'crewmate' and i.impostor and not c.impostor and i.probability is not null and c.probability is not null`,
  },
  share(
    'belief_bin',
    'players whom crewmates held to be impostors with a probability in this tenth, as the poll was closed, who are impostors',
    beliefItems('belief_bin', BIN, IS_IMPOSTOR, "b.moment = 'vote'"),
  ),
  mean(
    'belief_mean',
    'odds',
    'probability that crewmates gave in this tenth, as the poll was closed, in the mean',
    beliefItems('belief_mean', BIN, 'b.probability', "b.moment = 'vote'"),
  ),
  mean(
    'belief_suspicion',
    'odds',
    'belief of crewmates, as the poll closed, that another player is an impostor, by the number of the meeting and the true role of that player',
    beliefItems(
      'belief_suspicion',
      "b.meeting || '/' || case when b.impostor then 'impostor' else 'crewmate' end",
      'b.probability',
      `b.moment = 'vote' and b.meeting <= ${MOST_MEETINGS}`,
    ),
  ),
  mean(
    'suspicion',
    'odds',
    'odds that a living player is an impostor, by the knowledge of a crewmate as the meeting began, by the number of the meeting and the true role of that player',
    `select 'suspicion/' || d.meeting || '/' || p.role as id, p.seed, d.odds as hits, 1 as cases
from deductions d
join players p on p.journal = d.journal and p.seat = d.suspect
join meetings m on m.journal = d.journal and m.meeting = d.meeting
where d.meeting <= ${MOST_MEETINGS} and ${WAS_ALIVE}`,
  ),
  share(
    'errors',
    'ballots of crewmates for a player whom the voter could have proved innocent; ballots to skip never count',
    `select 'errors/' || p.who_id as id, p.seed, case when j.error then 1 else 0 end as hits, 1 as cases
from judgements j join players p on p.journal = j.journal and p.seat = j.voter`,
  ),
  mean(
    'regret',
    'odds',
    'the odds of the best ballot minus the odds of the ballot that a crewmate cast',
    `select 'regret/' || p.who_id as id, p.seed, j.regret as hits, 1 as cases
from judgements j join players p on p.journal = j.journal and p.seat = j.voter`,
  ),
  mean(
    'information',
    'bits',
    'by how much a message with claims narrows the teams that are possible for honest listeners',
    `select 'information/' || p.who_id || '/' || p.role as id, p.seed, i.bits as hits, 1 as cases
from information i join players p on p.journal = i.journal and p.seat = i.speaker`,
  ),
  share(
    'faults',
    'bids and orders that never came or could not be read, of those that were asked for',
    replyItems('faults', 'r.fault is not null', '1 = 1'),
  ),
  share(
    'mended',
    'replies that were corrected or partly ignored, of replies that came',
    replyItems('mended', "coalesce(r.notes, '') <> ''", 'r.fault is null'),
  ),
  share(
    'invalid_votes',
    'replies with a vote that is for nobody at the table, of replies that came',
    replyItems(
      'invalid_votes',
      "' ' || coalesce(r.notes, '') || ' ' like '% vote/unknown %'",
      'r.fault is null',
    ),
  ),
  share(
    'failed_requests',
    'requests to a model that were no answer and were made again or given up, of all requests',
    callItems('failed_requests', 'case when c.failure is null then 0 else 1 end', '1 = 1'),
  ),
  share(
    'repaired',
    'answers of a model that were no proper JSON before they were repaired, of all answers',
    callItems('repaired', 'case when c.repaired then 1 else 0 end', 'c.failure is null'),
  ),
  mean(
    'latency',
    'seconds',
    'time until a request to a model was over',
    callItems('latency', 'c.ms / 1000.0', 'c.ms is not null'),
  ),
  mean(
    'dollars',
    'dollars',
    'cost of the requests of a seat in a game as reported by the endpoint; games with an unreported cost are left out',
    spentItems('dollars', 'c.dollars'),
  ),
  mean(
    'tokens',
    'tokens',
    'tokens of prompts and answers of a seat in a game as counted by the endpoint; games with uncounted requests are left out',
    spentItems('tokens', '(c.prompt_tokens + c.completion_tokens)'),
  ),
];
