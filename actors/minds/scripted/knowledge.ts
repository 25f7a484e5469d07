/** What a crewmate can work out without anybody's word, by the same deduction as `report --deduce`. */
import type { KnownShip, LivedRound } from '../../../machines/rules/record.ts';
import type { LivingView } from '../../../machines/rules/views.ts';
import type { BySeat } from '../../../machines/types.ts';
import { type AttendedMeeting, EvidenceReader, listTeamSizes } from '../deduction/evidence.ts';
import { IdealObserver, type ImpostorTeam, oddsOf } from '../deduction/teams.ts';
import { remember } from '../remember.ts';

export type Knowledge = {
  /** Empty if nothing is known. */
  readonly teams: readonly ImpostorTeam[];
  /** The share of the possible teams with each of the others. Empty if nothing is known. */
  readonly odds: BySeat<number>;
};

const UNKNOWN: Knowledge = { teams: [], odds: {} };

/** Games of one player each, by the rounds before their first meeting: each stretch is searched once. */
const games = new WeakMap<readonly LivedRound[], ReturnType<typeof followGame>>();

export function reason(view: LivingView): Knowledge {
  const { you, table } = view;
  const { ship, record } = table;
  const [first] = you.stretches;
  const isWhole = you.stretches.length === record.meetings.length + 1;
  if (ship === null || first === undefined || you.role === 'impostor' || !isWhole) return UNKNOWN;
  const { reader, observer } = remember(games, first, () => followGame(view, ship));
  const teams = observer.listTeams(reader.read(listMeetings(view)));
  return teams.length === 0 ? UNKNOWN : { teams, odds: oddsOf(reader.witness, teams) };
}

function followGame({ you, table }: LivingView, { map, options }: KnownShip) {
  const { seats, confirmEjects, record } = table;
  const others = seats.flatMap(({ colour }) => (colour === you.colour ? [] : [colour]));
  const teamSizes = listTeamSizes(seats.length, record.impostors);
  const witness = { seat: you.colour, map, options, confirmEjects, others, teamSizes };
  return { reader: new EvidenceReader(witness), observer: new IdealObserver(witness) };
}

function listMeetings({ you, table }: LivingView): readonly AttendedMeeting[] {
  const { meetings, losses } = table.record;
  return [...meetings, { call: table.call, result: table.announced }].map(
    ({ call, result }, index) => {
      const lost = losses.filter(({ meeting }) => meeting === index + 1);
      const left = lost.flatMap(({ who, how, where }) =>
        how === 'left' && where === 'table' ? [who] : [],
      );
      return {
        rounds: you.stretches[index] ?? [],
        call,
        dead: lost.flatMap(({ who, how }) => (how === 'killed' ? [who] : [])),
        left,
        // The record does not say whether they left before the result was read out.
        result: result !== null && left.length > 0 ? { ...result, sentence: null } : result,
      };
    },
  );
}
