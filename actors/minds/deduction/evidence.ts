/** A crewmate's evidence between meetings. Talk, which may lie, the Admin table, camera light and task bar are none. */
import { firstKillCooldown, type GameOptions, rounds } from '../../../machines/rules/options.ts';
import type {
  AnnouncedResult,
  HeardEvent,
  LivedRound,
  PublicCall,
} from '../../../machines/rules/record.ts';
import type { Colour, Deed, Outcome, Place, Room, ShipMap } from '../../../machines/types.ts';

export type Witness = {
  readonly seat: Colour;
  readonly map: ShipMap;
  readonly options: GameOptions;
  readonly confirmEjects: boolean;
  /** The other players in seat order. */
  readonly others: readonly Colour[];
  /** The possible numbers of impostors, which is one if the lobby shows it. */
  readonly teamSizes: readonly number[];
};

/** Light and doors, which limit sight in a round. */
export type Visibility = { readonly isDark: boolean; readonly shut: readonly Room[] };

/** A visible deed, as far as it shows the player's movement. All deeds of a standing player are `standing`. */
const MOVING = ['passing', 'visual', 'vent', 'kill', 'dead'] as const;
export type GlimpsedDeed = (typeof MOVING)[number] | 'standing';
type GlimpsedAt = { readonly who: Colour; readonly place: Place; readonly did: GlimpsedDeed };

export type WitnessedRound = {
  readonly from: Place;
  readonly path: readonly Place[];
  readonly watchedCameras: boolean;
  /** The player whom the witness may have been following. */
  readonly following: Colour | null;
  /** At the start of the round, and after all moves. */
  readonly before: Visibility;
  readonly after: Visibility;
  readonly glimpses: readonly GlimpsedAt[];
  readonly departed: readonly Colour[];
};

/** The rounds between two meetings, and the call that ended them. */
export type ActionStretch = {
  /** Rounds until the first kill is possible. */
  readonly killWait: number;
  /** Other players alive at the start. */
  readonly living: readonly Colour[];
  readonly rounds: readonly WitnessedRound[];
  readonly call: PublicCall;
  /** Victims that the call revealed. */
  readonly killed: readonly Colour[];
};

export type Announcement = {
  readonly sentence: string;
  readonly outcome: Outcome;
  readonly ejected: Colour | null;
  /** Other players alive at the announcement. */
  readonly living: readonly Colour[];
};

export type Evidence = {
  readonly witness: Witness;
  /** One for each meeting so far, including the current one. */
  readonly stretches: readonly ActionStretch[];
  /** One for each meeting with a result, and null for the others. */
  readonly announcements: readonly (Announcement | null)[];
};

export type AttendedMeeting = {
  readonly rounds: readonly LivedRound[];
  readonly call: PublicCall;
  readonly dead: readonly Colour[];
  /** Players who left the table before the verdict, and after it. */
  readonly left: readonly Colour[];
  readonly result: Pick<AnnouncedResult, 'sentence' | 'outcome' | 'ejected'> | null;
};

/** The possible numbers of impostors, who are always fewer than the crew. `told` is null if the lobby hides it. */
export function listTeamSizes(players: number, told: number | null): readonly number[] {
  const most = Math.floor((players - 1) / 2);
  return told === null ? Array.from({ length: most }, (_, index) => index + 1) : [told];
}

/** Reads one witness's meetings. A list of rounds that was read before gives the same stretch. */
export class EvidenceReader {
  readonly witness: Witness;
  readonly #known = new WeakMap<readonly LivedRound[], ActionStretch>();

  constructor(witness: Witness) {
    this.witness = witness;
  }

  read(meetings: readonly AttendedMeeting[]): Evidence {
    const { witness } = this;
    const stretches: ActionStretch[] = [];
    const announcements: (Announcement | null)[] = [];
    let living = witness.others;
    for (const { rounds: lived, call, dead, left, result } of meetings) {
      const killed = dead.filter((who) => living.includes(who));
      const stretch =
        this.#known.get(lived) ??
        this.#readStretch(lived, stretches.at(-1), { living, call, killed });
      this.#known.set(lived, stretch);
      stretches.push(stretch);
      const gone = [...killed, ...left, ...stretch.rounds.flatMap(({ departed }) => departed)];
      living = living.filter((who) => !gone.includes(who));
      const { sentence = null, outcome = null, ejected = null } = result ?? {};
      const isTold = sentence !== null && outcome !== null;
      announcements.push(isTold ? { sentence, outcome, ejected, living } : null);
      living = living.filter((who) => who !== ejected);
    }
    return { witness, stretches, announcements };
  }

  /** All players return to the button and doors open in a meeting, but darkness stays. */
  #readStretch(
    lived: readonly LivedRound[],
    last: ActionStretch | undefined,
    { living, call, killed }: Pick<ActionStretch, 'living' | 'call' | 'killed'>,
  ): ActionStretch {
    const { map, options } = this.witness;
    const killWait = rounds(last === undefined ? firstKillCooldown(options) : options.killCooldown);
    let now: Visibility = { isDark: last?.rounds.at(-1)?.after.isDark ?? false, shut: [] };
    let from: Place = map.button;
    let following: Colour | null = null;
    let screens = false;
    const witnessed = lived.map(({ sights, path = [], intent, heard = [] }): WitnessedRound => {
      const before = now;
      // Without an intent the previous one continues.
      if (intent !== undefined) {
        following = intent.type === 'follow' ? (intent.whom ?? following) : null;
        screens = intent.what === 'cameras';
      }
      for (const event of heard) now = afterEvent(now, event);
      const after = now;
      // Doors open after the sightings of a round.
      const opened = heard.filter(({ type }) => type === 'doors.opened').map(({ room }) => room);
      now = { ...after, shut: after.shut.filter((one) => !opened.includes(one)) };
      const start = from;
      from = path.at(-1) ?? from;
      const isWatching =
        from === map.cameras?.at &&
        sights.some(({ who, did }) => who === this.witness.seat && did === 'watching');
      return {
        ...{ from: start, path, following, before, after },
        // If the Admin table is in the same room, the order tells which of the two the witness watched.
        watchedCameras: isWatching && (map.adminTable !== map.cameras?.at || screens),
        glimpses: sights.flatMap(({ who, place, did }) =>
          who === this.witness.seat ? [] : [{ who, place, did: toGlimpsedDeed(did) }],
        ),
        departed: heard.flatMap(({ type, seat }) =>
          type === 'seat.departed' && seat !== undefined ? [seat] : [],
        ),
      };
    });
    return { killWait, living, rounds: witnessed, call, killed };
  }
}

function afterEvent(now: Visibility, { type, system, room }: HeardEvent): Visibility {
  if (type === 'doors.shut' && room !== undefined) return { ...now, shut: [...now.shut, room] };
  const isSwitched = system === 'lights' && ['sabotage.begun', 'sabotage.fixed'].includes(type);
  return isSwitched ? { ...now, isDark: type === 'sabotage.begun' } : now;
}

export function toGlimpsedDeed(did: Deed): GlimpsedDeed {
  return MOVING.find((one) => one === did) ?? 'standing';
}
