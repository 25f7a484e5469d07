/**
 * Measures: the figures of the report that are ratios, one entry each.
 *
 * Each is counted twice over. `count` goes through the rows of one game as they are written, `items` is the same in SQL
 * over the tables; a test holds the one against the other. Both name their figures alike: the name of the measure, then
 * what it is counted by, as in `vote_accuracy/gpt-5_leader`.
 */
import { CLAIM_TYPES } from '../claims/claims.ts';
import {
  flagIn,
  type GameRows,
  numberIn,
  type ReportedSeat,
  textIn,
  wasAlive,
} from './gameRows.ts';
import type { ReportUnit } from './model.ts';

/** Adds hits and cases to a figure. */
export type CountInto = (parts: readonly (string | number)[], hits: number, cases: number) => void;

export type ReportMeasure = {
  readonly name: string;
  /** A share of cases, a mean of values, or a plain count of hits. */
  readonly kind: 'share' | 'mean' | 'count';
  readonly unit: ReportUnit;
  /** What it is, and of what, as a sentence without a full stop. */
  readonly about: string;
  readonly count: (game: GameRows, add: CountInto) => void;
  /** Rows with `id`, `seed`, `hits` and `cases`. */
  readonly items: string;
};

/** Meetings of a game that curves go up to; later ones are in few games. */
export const MOST_MEETINGS = 8;

const isDecided = ({ winner }: GameRows) => winner !== null;
const asNumber = (flag: boolean) => (flag ? 1 : 0);

const SIDES = ['crew', 'impostors'] as const;

const OUTCOMES: readonly ReportMeasure[] = [
  {
    name: 'sides',
    kind: 'share',
    unit: 'share',
    about: 'decided games that a side has won',
    count: (game, add) => {
      if (!isDecided(game)) return;
      for (const side of SIDES) add([side], asNumber(game.winner === side), 1);
    },
    items: `select 'sides/' || s.side as id, d.seed, (d.winner = s.side)::int as hits, 1 as cases
from decided d, (values ('crew'), ('impostors')) s(side)`,
  },
  {
    name: 'sides_by_size',
    kind: 'share',
    unit: 'share',
    about: 'decided games that the impostors have won, by players and impostors at the table',
    count: (game, add) => {
      if (!isDecided(game)) return;
      add([game.size, game.impostors], asNumber(game.winner === 'impostors'), 1);
    },
    items: `select 'sides_by_size/' || players || '/' || impostors as id, seed, (winner = 'impostors')::int as hits, 1 as cases
from decided`,
  },
  {
    name: 'endings',
    kind: 'count',
    unit: 'count',
    about: 'games by who has won and by what',
    count: (game, add) => {
      if (game.kind === 'game') add([game.winner ?? 'nobody', game.reason ?? 'cut off'], 1, 1);
    },
    items: `select 'endings/' || coalesce(winner, 'nobody') || '/' || coalesce(reason, 'cut off') as id, seed, 1 as hits, 1 as cases
from games where kind = 'game'`,
  },
  {
    name: 'crossplay',
    kind: 'share',
    unit: 'share',
    about:
      'decided games with the first persona among the impostors only and the second one in the crew only that the impostors have won',
    count: (game, add) => {
      if (!isDecided(game)) return;
      const of = (role: string) =>
        new Set(game.seats.filter((one) => one.role === role).map(({ who }) => who));
      const [impostors, crew] = [of('impostor'), of('crewmate')];
      for (const one of impostors)
        for (const other of crew)
          if (!crew.has(one) && !impostors.has(other))
            add([one, other], asNumber(game.winner === 'impostors'), 1);
    },
    items: `select 'crossplay/' || part(i.who) || '/' || part(c.who) as id, i.seed, i.won::int as hits, 1 as cases
from sides i join sides c on c.journal = i.journal and i.role = 'impostor' and c.role = 'crewmate'
where not exists (from sides b where b.journal = i.journal and (b.who = i.who and b.role = 'crewmate' or b.who = c.who and b.role = 'impostor'))`,
  },
];

const TABLE: readonly ReportMeasure[] = [
  {
    name: 'vote_accuracy',
    kind: 'share',
    unit: 'share',
    about: 'ballots of crewmates for a player that were for an impostor',
    count: (game, add) => {
      for (const row of game.of('ballots')) {
        const voter = game.seatIn(row, 'voter');
        const role = textIn(row, 'ballot_role');
        if (voter?.role === 'crewmate' && role !== null)
          add([voter.who], asNumber(role === 'impostor'), 1);
      }
    },
    items: `select 'vote_accuracy/' || part(p.who) as id, p.seed, (b.ballot_role = 'impostor')::int as hits, 1 as cases
from ballots b join players p on p.journal = b.journal and p.seat = b.voter
where p.role = 'crewmate' and b.ballot_role is not null`,
  },
  {
    name: 'not_ejected',
    kind: 'share',
    unit: 'share',
    about: 'meetings that an impostor was alive for which ended without their ejection',
    count: (game, add) => {
      for (const meeting of game.meetings) {
        if (meeting.outcome === null) continue;
        for (const one of game.seats) {
          if (one.role === 'impostor' && wasAlive(one, meeting))
            add([one.who], asNumber(meeting.ejected !== one.seat), 1);
        }
      }
    },
    items: `select 'not_ejected/' || part(p.who) as id, p.seed, (m.ejected is distinct from p.seat)::int as hits, 1 as cases
from meetings m join players p on p.journal = m.journal
where p.role = 'impostor' and m.outcome is not null and was_alive(p.fate, p.fate_round, p.fate_meeting, m.meeting, m.round)`,
  },
  {
    name: 'persuasion',
    kind: 'share',
    unit: 'share',
    about:
      'ballots of others, locked in a later tick than an accusation of theirs, for a player whom they had accused',
    count: (game, add) => {
      const accusations = game.of('mentions').filter((row) => textIn(row, 'kind') === 'accusation');
      for (const ballot of game.of('ballots')) {
        const tick = numberIn(ballot, 'locked_tick') ?? -1;
        const heard = accusations.filter(
          (row) =>
            numberIn(row, 'meeting') === numberIn(ballot, 'meeting') &&
            (numberIn(row, 'tick') ?? tick) < tick &&
            textIn(row, 'speaker') !== textIn(ballot, 'voter'),
        );
        for (const [speaker, own] of Map.groupBy(heard, (row) => game.seatIn(row, 'speaker'))) {
          const isFollowed = own.some((row) => textIn(row, 'seat') === textIn(ballot, 'ballot'));
          if (speaker !== null) add([speaker.who, speaker.role], asNumber(isFollowed), 1);
        }
      }
    },
    items: `select any_value('persuasion/' || part(p.who) || '/' || p.role) as id, any_value(p.seed) as seed, max((m.seat = b.ballot)::int) as hits, 1 as cases
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
      'ballots of crewmates for a player that were for an impostor, by which meeting of the game it was',
    count: (game, add) => {
      for (const row of game.of('ballots')) {
        const [role, meeting] = [textIn(row, 'ballot_role'), numberIn(row, 'meeting') ?? 0];
        const isMeant = textIn(row, 'voter_role') === 'crewmate' && meeting <= MOST_MEETINGS;
        if (isMeant && role !== null) add([meeting], asNumber(role === 'impostor'), 1);
      }
    },
    items: `select 'votes_by_meeting/' || b.meeting as id, g.seed, (b.ballot_role = 'impostor')::int as hits, 1 as cases
from ballots b join games g using (journal)
where b.voter_role = 'crewmate' and b.ballot_role is not null and b.meeting <= ${MOST_MEETINGS}`,
  },
];

/** What `why` has found of messages. */
function countChanges(column: string, game: GameRows, add: CountInto): void {
  for (const row of game.of('counterfactuals')) {
    const speaker = game.seatIn(row, 'seat');
    const changed = numberIn(row, column);
    if (textIn(row, 'what') !== 'messages' || speaker === null || changed === null) continue;
    add([speaker.who, speaker.role, textIn(row, 'by') ?? ''], changed, 1);
  }
}

const changeItems = (name: string, column: string) =>
  `select '${name}/' || part(p.who) || '/' || p.role || '/' || c."by" as id, p.seed, c.${column} as hits, 1 as cases
from counterfactuals c join players p on p.journal = c.journal and p.seat = c.seat
where c.what = 'messages' and c.${column} is not null`;

const CAUSES: readonly ReportMeasure[] = [
  {
    name: 'causal_ejection',
    kind: 'share',
    unit: 'share',
    about: 'messages that, taken back, change whom the meeting ejects',
    count: (game, add) => countChanges('ejected_changed', game, add),
    items: changeItems('causal_ejection', 'ejected_changed'),
  },
  {
    name: 'causal_winner',
    kind: 'share',
    unit: 'share',
    about: 'messages that, taken back, change who wins; those that were played on to the end',
    count: (game, add) => countChanges('winner_changed', game, add),
    items: changeItems('causal_winner', 'winner_changed'),
  },
  {
    name: 'causal_ballots',
    kind: 'mean',
    unit: 'ballots',
    about: 'ballots of the meeting that differ when a message is taken back, in the mean',
    count: (game, add) => countChanges('ballots_changed', game, add),
    items: changeItems('causal_ballots', 'ballots_changed'),
  },
];

const CLAIMS: readonly ReportMeasure[] = [
  {
    name: 'claims_made',
    kind: 'mean',
    unit: 'claims',
    about: 'claims of a kind that the reader finds, for each seat and game',
    count: (game, add) => {
      const found = Map.groupBy(
        game.of('claims'),
        (row) => `${textIn(row, 'by')} ${textIn(row, 'type')}`,
      );
      for (const { seat, who, role } of game.seats)
        for (const type of CLAIM_TYPES)
          add([who, role, type], found.get(`${seat} ${type}`)?.length ?? 0, 1);
    },
    items: `select 'claims_made/' || part(p.who) || '/' || p.role || '/' || t.type as id, any_value(p.seed) as seed, count(c.line) as hits, 1 as cases
from players p cross join (values ${CLAIM_TYPES.map((type) => `('${type}')`).join(', ')}) t(type)
left join claims c on c.journal = p.journal and c."by" = p.seat and c.type = t.type
group by p.journal, p.seat, p.who, p.role, t.type`,
  },
  {
    name: 'false_places',
    kind: 'share',
    unit: 'share',
    about: 'claims of place and time that the ship contradicts, of those that it can judge',
    count: (game, add) => {
      for (const row of game.of('claims')) {
        const [by, truth] = [game.seatIn(row, 'by'), textIn(row, 'truth')];
        if (by !== null && (truth === 'true' || truth === 'false'))
          add([by.who, by.role], asNumber(truth === 'false'), 1);
      }
    },
    items: `select 'false_places/' || part(p.who) || '/' || p.role as id, p.seed, (c.truth = 'false')::int as hits, 1 as cases
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
      'odds that a living player is an impostor by what a crewmate could have known as the meeting began, by which meeting it was and what that player truly is',
    count: (game, add) => {
      for (const row of game.of('deductions')) {
        const [suspect, meeting] = [game.seatIn(row, 'suspect'), game.meetingOf(row)];
        if (suspect === null || meeting === null || meeting.meeting > MOST_MEETINGS) continue;
        if (wasAlive(suspect, meeting))
          add([meeting.meeting, suspect.role], numberIn(row, 'odds') ?? 0, 1);
      }
    },
    items: `select 'suspicion/' || d.meeting || '/' || p.role as id, p.seed, d.odds as hits, 1 as cases
from deductions d
join players p on p.journal = d.journal and p.seat = d.suspect
join meetings m on m.journal = d.journal and m.meeting = d.meeting
where d.meeting <= ${MOST_MEETINGS} and was_alive(p.fate, p.fate_round, p.fate_meeting, m.meeting, m.round)`,
  },
  {
    name: 'errors',
    kind: 'share',
    unit: 'share',
    about:
      'ballots of crewmates for a player who, by what the voter could have known, was provably innocent; ballots to skip are never that',
    count: (game, add) => {
      for (const row of game.of('judgements')) {
        const voter = game.seatIn(row, 'voter');
        if (voter !== null) add([voter.who], asNumber(flagIn(row, 'error') === true), 1);
      }
    },
    items: `select 'errors/' || part(p.who) as id, p.seed, j.error::int as hits, 1 as cases
from judgements j join players p on p.journal = j.journal and p.seat = j.voter`,
  },
  {
    name: 'regret',
    kind: 'mean',
    unit: 'odds',
    about:
      'by how much more probably the best ballot would have hit an impostor than the one that a crewmate cast, by what could have been known',
    count: (game, add) => {
      for (const row of game.of('judgements')) {
        const voter = game.seatIn(row, 'voter');
        if (voter !== null) add([voter.who], numberIn(row, 'regret') ?? 0, 1);
      }
    },
    items: `select 'regret/' || part(p.who) as id, p.seed, j.regret as hits, 1 as cases
from judgements j join players p on p.journal = j.journal and p.seat = j.voter`,
  },
  {
    name: 'information',
    kind: 'mean',
    unit: 'bits',
    about:
      'by how much a message with claims narrows the teams that are possible for honest listeners',
    count: (game, add) => {
      for (const row of game.of('information')) {
        const speaker = game.seatIn(row, 'speaker');
        if (speaker !== null) add([speaker.who, speaker.role], numberIn(row, 'bits') ?? 0, 1);
      }
    },
    items: `select 'information/' || part(p.who) || '/' || p.role as id, p.seed, i.bits as hits, 1 as cases
from information i join players p on p.journal = i.journal and p.seat = i.speaker`,
  },
];

/** Tenths in which beliefs are held against what is so. */
export const BELIEF_BINS = 10;

/** Beliefs of crewmates: impostors know. */
function beliefsOf(game: GameRows) {
  return game.of('beliefs').flatMap((row) => {
    const [believer, probability] = [game.seatIn(row, 'seat'), numberIn(row, 'probability')];
    if (believer?.role !== 'crewmate' || probability === null) return [];
    const isImpostor = flagIn(row, 'impostor') === true;
    const [meeting, moment] = [numberIn(row, 'meeting') ?? 0, textIn(row, 'moment') ?? ''];
    const tick = numberIn(row, 'tick');
    return [{ believer, probability, isImpostor, meeting, moment, tick }];
  });
}

const beliefItems = (name: string, parts: string, hits: string, where = 'true') =>
  `select '${name}/' || ${parts} as id, p.seed, ${hits} as hits, 1 as cases
from beliefs b join players p on p.journal = b.journal and p.seat = b.seat
where p.role = 'crewmate' and b.probability is not null and ${where}`;

const BIN = `least(${BELIEF_BINS}, 1 + floor(b.probability * ${BELIEF_BINS})::int)`;

const BELIEFS: readonly ReportMeasure[] = [
  {
    name: 'belief_brier',
    kind: 'mean',
    unit: 'score',
    about:
      'square of the difference between how probable a crewmate held it that another player is an impostor and what is so, in the mean, by the moment at which it was asked',
    count: (game, add) => {
      for (const { believer, probability, isImpostor, moment } of beliefsOf(game))
        add([believer.who, moment], (probability - asNumber(isImpostor)) ** 2, 1);
    },
    items: beliefItems(
      'belief_brier',
      "part(p.who) || '/' || b.moment",
      'power(b.probability - b.impostor::int, 2)',
    ),
  },
  {
    name: 'belief_auc',
    kind: 'share',
    unit: 'odds',
    about:
      'pairs of an impostor and a crewmate whom a crewmate was asked about at one moment of which the impostor was held more probable to be one; equal ones count half',
    count: (game, add) => {
      const asked = Map.groupBy(
        beliefsOf(game),
        (one) => `${one.meeting} ${one.moment} ${one.tick} ${one.believer.seat}`,
      );
      for (const [first, ...rest] of asked.values()) {
        if (first === undefined) continue;
        const all = [first, ...rest];
        const innocent = all.filter(({ isImpostor }) => !isImpostor);
        for (const one of all.filter(({ isImpostor }) => isImpostor)) {
          const over = innocent.filter(({ probability }) => probability < one.probability).length;
          const even = innocent.filter(({ probability }) => probability === one.probability).length;
          add([first.believer.who, first.moment], over + even / 2, innocent.length);
        }
      }
    },
    items: `select 'belief_auc/' || part(p.who) || '/' || i.moment as id, p.seed,
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
    count: (game, add) => {
      for (const { probability, isImpostor, moment } of beliefsOf(game))
        if (moment === 'vote') add([binOf(probability)], asNumber(isImpostor), 1);
    },
    items: beliefItems('belief_bin', BIN, 'b.impostor::int', "b.moment = 'vote'"),
  },
  {
    name: 'belief_mean',
    kind: 'mean',
    unit: 'odds',
    about: 'probability that crewmates gave in this tenth, as the poll was closed, in the mean',
    count: (game, add) => {
      for (const { probability, moment } of beliefsOf(game))
        if (moment === 'vote') add([binOf(probability)], probability, 1);
    },
    items: beliefItems('belief_mean', BIN, 'b.probability', "b.moment = 'vote'"),
  },
  {
    name: 'belief_suspicion',
    kind: 'mean',
    unit: 'odds',
    about:
      'how probable crewmates held it that another player is an impostor as the poll was closed, by which meeting it was and what that player truly is',
    count: (game, add) => {
      for (const { probability, isImpostor, moment, meeting } of beliefsOf(game))
        if (moment === 'vote' && meeting <= MOST_MEETINGS)
          add([meeting, isImpostor ? 'impostor' : 'crewmate'], probability, 1);
    },
    items: beliefItems(
      'belief_suspicion',
      "b.meeting || '/' || case when b.impostor then 'impostor' else 'crewmate' end",
      'b.probability',
      `b.moment = 'vote' and b.meeting <= ${MOST_MEETINGS}`,
    ),
  },
];

const binOf = (probability: number) =>
  Math.min(BELIEF_BINS, 1 + Math.floor(probability * BELIEF_BINS));

/** Bids at the table of the living, and orders: what a mind was asked for and handed in, or did not. */
function countReplies(
  game: GameRows,
  see: (seat: ReportedSeat, fault: string | null, notes: string) => void,
): void {
  const asked = [
    ...game.of('bids').filter((row) => textIn(row, 'channel') === 'living'),
    ...game.of('orders'),
  ];
  for (const row of asked) {
    const seat = game.seatIn(row, 'seat');
    if (seat !== null) see(seat, textIn(row, 'fault'), textIn(row, 'notes') ?? '');
  }
}

/** Requests of the game itself: those about beliefs are beside it. */
function callsOf(game: GameRows) {
  return game.of('calls').filter((row) => textIn(row, 'request_kind') !== 'belief');
}

const OWN_CALLS = `c.request_kind is distinct from 'belief'`;

const REPLIES = `(select journal, seat, fault, notes from bids where channel = 'living' union all select journal, seat, fault, notes from orders)`;

const replyItems = (name: string, hits: string, where: string) =>
  `select '${name}/' || part(p.label) as id, any_value(p.seed) as seed, sum((${hits})::int) as hits, count(*) as cases
from ${REPLIES} r join players p on p.journal = r.journal and p.seat = r.seat where ${where}
group by p.journal, p.label`;

const callItems = (name: string, hits: string, where: string) =>
  `select '${name}/' || part(p.label) as id, p.seed, ${hits} as hits, 1 as cases
from calls c join players p on p.journal = c.journal and p.seat = c.seat where ${OWN_CALLS} and ${where}`;

const RELIABILITY: readonly ReportMeasure[] = [
  {
    name: 'faults',
    kind: 'share',
    unit: 'share',
    about: 'bids and orders that never came or could not be read, of those that were asked for',
    count: (game, add) =>
      countReplies(game, ({ label }, fault) => add([label], asNumber(fault !== null), 1)),
    items: replyItems('faults', 'r.fault is not null', 'true'),
  },
  {
    name: 'mended',
    kind: 'share',
    unit: 'share',
    about: 'replies in which something was corrected or ignored, of replies that came',
    count: (game, add) =>
      countReplies(game, ({ label }, fault, notes) => {
        if (fault === null) add([label], asNumber(notes !== ''), 1);
      }),
    items: replyItems('mended', "coalesce(r.notes, '') <> ''", 'r.fault is null'),
  },
  {
    name: 'invalid_votes',
    kind: 'share',
    unit: 'share',
    about: 'replies with a vote that is for nobody at the table, of replies that came',
    count: (game, add) =>
      countReplies(game, ({ label }, fault, notes) => {
        if (fault === null) add([label], asNumber(notes.split(' ').includes('vote/unknown')), 1);
      }),
    items: replyItems(
      'invalid_votes',
      "list_contains(string_split(coalesce(r.notes, ''), ' '), 'vote/unknown')",
      'r.fault is null',
    ),
  },
  {
    name: 'failed_requests',
    kind: 'share',
    unit: 'share',
    about:
      'requests to a model that were no answer and were made again or given up, of all requests',
    count: (game, add) => {
      for (const row of callsOf(game)) {
        const seat = game.seatIn(row, 'seat');
        if (seat !== null) add([seat.label], asNumber(textIn(row, 'failure') !== null), 1);
      }
    },
    items: callItems('failed_requests', '(c.failure is not null)::int', 'true'),
  },
  {
    name: 'repaired',
    kind: 'share',
    unit: 'share',
    about: 'answers of a model that were no proper JSON before they were repaired, of all answers',
    count: (game, add) => {
      for (const row of callsOf(game)) {
        const seat = game.seatIn(row, 'seat');
        if (seat !== null && textIn(row, 'failure') === null)
          add([seat.label], asNumber(flagIn(row, 'repaired') === true), 1);
      }
    },
    items: callItems('repaired', 'coalesce(c.repaired, false)::int', 'c.failure is null'),
  },
  {
    name: 'latency',
    kind: 'mean',
    unit: 'seconds',
    about: 'time until a request to a model was over',
    count: (game, add) => {
      for (const row of callsOf(game)) {
        const [seat, ms] = [game.seatIn(row, 'seat'), numberIn(row, 'ms')];
        if (seat !== null && ms !== null) add([seat.label], ms / 1000, 1);
      }
    },
    items: callItems('latency', 'c.ms / 1000', 'c.ms is not null'),
  },
];

/** Requests of a seat in one game: what they cost together; null where an endpoint did not say it of all. */
function countSpent(
  game: GameRows,
  amountOf: (row: Parameters<typeof numberIn>[0]) => number | null,
  add: CountInto,
): void {
  const calls = Map.groupBy(callsOf(game), (row) => textIn(row, 'seat'));
  for (const { seat, who } of game.seats) {
    const amounts = calls.get(seat)?.map(amountOf);
    if (amounts === undefined || amounts.includes(null)) continue;
    add(
      [who],
      amounts.reduce<number>((sum, one) => sum + (one ?? 0), 0),
      1,
    );
  }
}

const spentItems = (name: string, amount: string) =>
  `select '${name}/' || part(p.who) as id, any_value(p.seed) as seed, sum(${amount}) as hits, 1 as cases
from calls c join players p on p.journal = c.journal and p.seat = c.seat where ${OWN_CALLS}
group by p.journal, p.seat, p.who having count(${amount}) = count(*)`;

const COSTS: readonly ReportMeasure[] = [
  {
    name: 'dollars',
    kind: 'mean',
    unit: 'dollars',
    about:
      'cost of the requests of a seat in a game as the endpoint says it; games in which it did not say it of all requests are left out',
    count: (game, add) => countSpent(game, (row) => numberIn(row, 'dollars'), add),
    items: spentItems('dollars', 'c.dollars'),
  },
  {
    name: 'tokens',
    kind: 'mean',
    unit: 'tokens',
    about:
      'tokens of prompts and answers of a seat in a game as the endpoint counts them; games in which it did not count those of all requests are left out',
    count: (game, add) =>
      countSpent(
        game,
        (row) => {
          const [prompt, answer] = [
            numberIn(row, 'prompt_tokens'),
            numberIn(row, 'completion_tokens'),
          ];
          return prompt === null || answer === null ? null : prompt + answer;
        },
        add,
      ),
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
