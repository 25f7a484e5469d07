/**
 * The ratios of the report, as SQL over the tables. An id is the name of the measure and its groups, such as
 * `vote_accuracy/gpt-5_leader`.
 *
 * SQLite and DuckDB both run every query, so it casts no boolean, uses functions of both, and divides only doubles.
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

/** The last meeting of a curve, because few games have more. */
export const MOST_MEETINGS = 8;

/** The player `p` was alive when the meeting `m` was called. */
const WAS_ALIVE = `(p.fate = 'alive' or case when p.fate_meeting is not null then p.fate_meeting >= m.meeting else coalesce(p.fate_round >= m.round, false) end)`;

const OUTCOMES: readonly ReportMeasure[] = [
  {
    name: 'sides',
    kind: 'share',
    unit: 'share',
    about: 'decided games that a side has won',
    items: `select 'sides/' || s.side as id, d.seed, case when d.winner = s.side then 1 else 0 end as hits, 1 as cases
from decided d cross join (select 'crew' as side union all select 'impostors') s`,
  },
  {
    name: 'sides_by_size',
    kind: 'share',
    unit: 'share',
    about: 'decided games that the impostors have won, by players and impostors at the table',
    items: `select 'sides_by_size/' || players || '/' || impostors as id, seed, case when winner = 'impostors' then 1 else 0 end as hits, 1 as cases
from decided`,
  },
  {
    name: 'endings',
    kind: 'count',
    unit: 'count',
    about: 'games by who has won and by what',
    items: `select 'endings/' || coalesce(winner, 'nobody') || '/' || coalesce(reason, 'cut off') as id, seed, 1 as hits, 1 as cases
from games where kind = 'game'`,
  },
  {
    name: 'crossplay',
    kind: 'share',
    unit: 'share',
    about:
      'decided games with the first persona among the impostors only and the second one in the crew only that the impostors have won',
    items: `select 'crossplay/' || i.who_id || '/' || c.who_id as id, i.seed, case when i.won then 1 else 0 end as hits, 1 as cases
from sides i join sides c on c.journal = i.journal and i.role = 'impostor' and c.role = 'crewmate'
left join sides b on b.journal = i.journal and b.who = i.who and b.role = 'crewmate'
left join sides d on d.journal = c.journal and d.who = c.who and d.role = 'impostor'
where b.who is null and d.who is null`,
  },
];

const TABLE: readonly ReportMeasure[] = [
  {
    name: 'vote_accuracy',
    kind: 'share',
    unit: 'share',
    about: 'ballots of crewmates for a player that were for an impostor',
    items: `select 'vote_accuracy/' || p.who_id as id, p.seed, case when b.ballot_role = 'impostor' then 1 else 0 end as hits, 1 as cases
from ballots b join players p on p.journal = b.journal and p.seat = b.voter
where p.role = 'crewmate' and b.ballot_role is not null`,
  },
  {
    name: 'not_ejected',
    kind: 'share',
    unit: 'share',
    about: 'meetings that a living impostor left without an ejection of their own',
    items: `select 'not_ejected/' || p.who_id as id, p.seed, case when m.ejected = p.seat then 0 else 1 end as hits, 1 as cases
from meetings m join players p on p.journal = m.journal
where p.role = 'impostor' and m.outcome is not null and ${WAS_ALIVE}`,
  },
  {
    name: 'persuasion',
    kind: 'share',
    unit: 'share',
    about:
      'ballots of others, locked in a later tick than an accusation of theirs, for a player whom they had accused',
    items: `select min('persuasion/' || p.who_id || '/' || p.role) as id, min(p.seed) as seed, max(case when m.seat = b.ballot then 1 else 0 end) as hits, 1 as cases
from ballots b
join mentions m on m.journal = b.journal and m.meeting = b.meeting and m.kind = 'accusation' and m.speaker <> b.voter and m.tick < b.locked_tick
join players p on p.journal = m.journal and p.seat = m.speaker
group by b.journal, b.line, m.speaker`,
  },
  {
    name: 'votes_by_meeting',
    kind: 'share',
    unit: 'share',
    about:
      'ballots of crewmates for a player that were for an impostor, by the number of the meeting',
    items: `select 'votes_by_meeting/' || b.meeting as id, g.seed, case when b.ballot_role = 'impostor' then 1 else 0 end as hits, 1 as cases
from ballots b join games g using (journal)
where b.voter_role = 'crewmate' and b.ballot_role is not null and b.meeting <= ${MOST_MEETINGS}`,
  },
];

const changeItems = (name: string, column: string) =>
  `select '${name}/' || p.who_id || '/' || p.role || '/' || c."by" as id, p.seed, c.${column} as hits, 1 as cases
from counterfactuals c join players p on p.journal = c.journal and p.seat = c.seat
where c.what = 'messages' and c.${column} is not null`;

const CAUSES: readonly ReportMeasure[] = [
  {
    name: 'causal_ejection',
    kind: 'share',
    unit: 'share',
    about: 'messages that, taken back, change whom the meeting ejects',
    items: changeItems('causal_ejection', 'ejected_changed'),
  },
  {
    name: 'causal_winner',
    kind: 'share',
    unit: 'share',
    about: 'messages that, taken back, change who wins; those that were played on to the end',
    items: changeItems('causal_winner', 'winner_changed'),
  },
  {
    name: 'causal_ballots',
    kind: 'mean',
    unit: 'ballots',
    about: 'ballots of the meeting that differ when a message is taken back, in the mean',
    items: changeItems('causal_ballots', 'ballots_changed'),
  },
];

const CLAIMS: readonly ReportMeasure[] = [
  {
    name: 'claims_made',
    kind: 'mean',
    unit: 'claims',
    about: 'claims of a kind that the reader finds, for each seat and game',
    items: `select 'claims_made/' || p.who_id || '/' || p.role || '/' || t.type as id, min(p.seed) as seed, count(c.line) as hits, 1 as cases
from players p cross join (${CLAIM_TYPES.map((type) => `select '${type}' as type`).join(' union all ')}) t
left join claims c on c.journal = p.journal and c."by" = p.seat and c.type = t.type
group by p.journal, p.seat, p.who_id, p.role, t.type`,
  },
  {
    name: 'false_places',
    kind: 'share',
    unit: 'share',
    about: 'claims of place and time that the ship contradicts, of those that it can judge',
    items: `select 'false_places/' || p.who_id || '/' || p.role as id, p.seed, case when c.truth = 'false' then 1 else 0 end as hits, 1 as cases
from claims c join players p on p.journal = c.journal and p.seat = c."by"
where c.truth in ('true', 'false')`,
  },
];

const REASONING: readonly ReportMeasure[] = [
  {
    name: 'suspicion',
    kind: 'mean',
    unit: 'odds',
    about:
      'odds that a living player is an impostor, by the knowledge of a crewmate as the meeting began, by the number of the meeting and the true role of that player',
    items: `select 'suspicion/' || d.meeting || '/' || p.role as id, p.seed, d.odds as hits, 1 as cases
from deductions d
join players p on p.journal = d.journal and p.seat = d.suspect
join meetings m on m.journal = d.journal and m.meeting = d.meeting
where d.meeting <= ${MOST_MEETINGS} and ${WAS_ALIVE}`,
  },
  {
    name: 'errors',
    kind: 'share',
    unit: 'share',
    about:
      'ballots of crewmates for a player whom the voter could have proved innocent; ballots to skip never count',
    items: `select 'errors/' || p.who_id as id, p.seed, case when j.error then 1 else 0 end as hits, 1 as cases
from judgements j join players p on p.journal = j.journal and p.seat = j.voter`,
  },
  {
    name: 'regret',
    kind: 'mean',
    unit: 'odds',
    about: 'the odds of the best ballot minus the odds of the ballot that a crewmate cast',
    items: `select 'regret/' || p.who_id as id, p.seed, j.regret as hits, 1 as cases
from judgements j join players p on p.journal = j.journal and p.seat = j.voter`,
  },
  {
    name: 'information',
    kind: 'mean',
    unit: 'bits',
    about:
      'by how much a message with claims narrows the teams that are possible for honest listeners',
    items: `select 'information/' || p.who_id || '/' || p.role as id, p.seed, i.bits as hits, 1 as cases
from information i join players p on p.journal = i.journal and p.seat = i.speaker`,
  },
];

/** Tenths of a calibration curve. */
export const BELIEF_BINS = 10;

const beliefItems = (name: string, parts: string, hits: string, where = '1 = 1') =>
  `select '${name}/' || ${parts} as id, p.seed, ${hits} as hits, 1 as cases
from beliefs b join players p on p.journal = b.journal and p.seat = b.seat
where p.role = 'crewmate' and b.probability is not null and ${where}`;

const BIN = `case when b.probability >= 1 then ${BELIEF_BINS} else 1 + cast(floor(b.probability * ${BELIEF_BINS}) as integer) end`;
const IS_IMPOSTOR = 'case when b.impostor then 1 else 0 end';

const BELIEFS: readonly ReportMeasure[] = [
  {
    name: 'belief_brier',
    kind: 'mean',
    unit: 'score',
    about:
      'mean square of the difference between the belief of a crewmate that another player is an impostor and the truth, by the moment of the question',
    items: beliefItems(
      'belief_brier',
      "p.who_id || '/' || b.moment",
      `power(b.probability - ${IS_IMPOSTOR}, 2)`,
    ),
  },
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
  {
    name: 'belief_bin',
    kind: 'share',
    unit: 'share',
    about:
      'players whom crewmates held to be impostors with a probability in this tenth, as the poll was closed, who are impostors',
    items: beliefItems('belief_bin', BIN, IS_IMPOSTOR, "b.moment = 'vote'"),
  },
  {
    name: 'belief_mean',
    kind: 'mean',
    unit: 'odds',
    about: 'probability that crewmates gave in this tenth, as the poll was closed, in the mean',
    items: beliefItems('belief_mean', BIN, 'b.probability', "b.moment = 'vote'"),
  },
  {
    name: 'belief_suspicion',
    kind: 'mean',
    unit: 'odds',
    about:
      'belief of crewmates, as the poll closed, that another player is an impostor, by the number of the meeting and the true role of that player',
    items: beliefItems(
      'belief_suspicion',
      "b.meeting || '/' || case when b.impostor then 'impostor' else 'crewmate' end",
      'b.probability',
      `b.moment = 'vote' and b.meeting <= ${MOST_MEETINGS}`,
    ),
  },
];

const OWN_CALLS = `c.request_kind is distinct from 'belief'`;

const REPLIES = `(select journal, seat, fault, notes from bids where channel = 'living' union all select journal, seat, fault, notes from orders)`;

const replyItems = (name: string, hits: string, where: string) =>
  `select '${name}/' || p.label_id as id, min(p.seed) as seed, sum(case when ${hits} then 1 else 0 end) as hits, count(*) as cases
from ${REPLIES} r join players p on p.journal = r.journal and p.seat = r.seat where ${where}
group by p.journal, p.label_id`;

const callItems = (name: string, hits: string, where: string) =>
  `select '${name}/' || p.label_id as id, p.seed, ${hits} as hits, 1 as cases
from calls c join players p on p.journal = c.journal and p.seat = c.seat where ${OWN_CALLS} and ${where}`;

const RELIABILITY: readonly ReportMeasure[] = [
  {
    name: 'faults',
    kind: 'share',
    unit: 'share',
    about: 'bids and orders that never came or could not be read, of those that were asked for',
    items: replyItems('faults', 'r.fault is not null', '1 = 1'),
  },
  {
    name: 'mended',
    kind: 'share',
    unit: 'share',
    about: 'replies that were corrected or partly ignored, of replies that came',
    items: replyItems('mended', "coalesce(r.notes, '') <> ''", 'r.fault is null'),
  },
  {
    name: 'invalid_votes',
    kind: 'share',
    unit: 'share',
    about: 'replies with a vote that is for nobody at the table, of replies that came',
    items: replyItems(
      'invalid_votes',
      "' ' || coalesce(r.notes, '') || ' ' like '% vote/unknown %'",
      'r.fault is null',
    ),
  },
  {
    name: 'failed_requests',
    kind: 'share',
    unit: 'share',
    about:
      'requests to a model that were no answer and were made again or given up, of all requests',
    items: callItems('failed_requests', 'case when c.failure is null then 0 else 1 end', '1 = 1'),
  },
  {
    name: 'repaired',
    kind: 'share',
    unit: 'share',
    about: 'answers of a model that were no proper JSON before they were repaired, of all answers',
    items: callItems('repaired', 'case when c.repaired then 1 else 0 end', 'c.failure is null'),
  },
  {
    name: 'latency',
    kind: 'mean',
    unit: 'seconds',
    about: 'time until a request to a model was over',
    items: callItems('latency', 'c.ms / 1000.0', 'c.ms is not null'),
  },
];

const spentItems = (name: string, amount: string) =>
  `select '${name}/' || p.who_id as id, min(p.seed) as seed, sum(${amount}) as hits, 1 as cases
from calls c join players p on p.journal = c.journal and p.seat = c.seat where ${OWN_CALLS}
group by p.journal, p.seat, p.who_id having count(${amount}) = count(*)`;

const COSTS: readonly ReportMeasure[] = [
  {
    name: 'dollars',
    kind: 'mean',
    unit: 'dollars',
    about:
      'cost of the requests of a seat in a game as reported by the endpoint; games with an unreported cost are left out',
    items: spentItems('dollars', 'c.dollars'),
  },
  {
    name: 'tokens',
    kind: 'mean',
    unit: 'tokens',
    about:
      'tokens of prompts and answers of a seat in a game as counted by the endpoint; games with uncounted requests are left out',
    items: spentItems('tokens', '(c.prompt_tokens + c.completion_tokens)'),
  },
];

export const MEASURES: readonly ReportMeasure[] = [
  ...OUTCOMES,
  ...TABLE,
  ...CAUSES,
  ...CLAIMS,
  ...BELIEFS,
  ...REASONING,
  ...RELIABILITY,
  ...COSTS,
];
