/** The evidence of one crewmate, read from a journal through that player's lens. */
import {
  type AttendedMeeting,
  type Evidence,
  EvidenceReader,
  listTeamSizes,
} from '../../actors/minds/deduction/evidence.ts';
import { lensFor, type SeenGame, type SeenLine, type SeenOf } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { gameIn } from '../../machines/journal/opening.ts';
import { readGameOptions } from '../../machines/rules/options.ts';
import type { LivedRound } from '../../machines/rules/record.ts';
import { readMap } from '../../machines/setup/match.ts';
import { readField } from '../../machines/text.ts';
import { COLOURS, type Colour } from '../../machines/types.ts';

/** One for each meeting attended alive. Empty for an impostor, an absent colour, and a journal without a game. */
export function collectEvidence(lines: readonly Line[], seat: Colour): readonly Evidence[] {
  const look = lensFor({ type: 'player', seat });
  let diary: Diary | null = null;
  const found: Evidence[] = [];
  for (const line of lines) {
    if (line.channel === 'ghosts') continue;
    const seen = look(line);
    if (seen === null) continue;
    const game = gameIn(seen);
    const own = game?.seats.find(({ colour }) => colour === seat);
    if (game !== null && own?.role === 'crewmate') diary = new Diary(game, seat);
    if (diary === null) return found;
    const evidence = diary.read(seen);
    if (evidence !== null) found.push(evidence);
    if (diary.isOver) return found;
  }
  return found;
}

type MeetingDraft = { -readonly [Key in keyof AttendedMeeting]: AttendedMeeting[Key] };

class Diary {
  readonly #reader: EvidenceReader;
  readonly #meetings: MeetingDraft[] = [];
  #rounds: LivedRound[] = [];
  isOver = false;

  constructor(game: SeenGame, seat: Colour) {
    const { seats } = game;
    const options = readGameOptions(game);
    this.#reader = new EvidenceReader({
      ...{ seat, map: readMap(game), options, confirmEjects: game.options.confirm_ejects },
      others: COLOURS.filter((one) => one !== seat && seats.some(({ colour }) => colour === one)),
      teamSizes: listTeamSizes(seats.length, options.showImpostors ? options.impostors : null),
    });
  }

  /** The evidence at the start of a meeting; null for every other line. */
  read(line: SeenLine): Evidence | null {
    const { seat } = this.#reader.witness;
    const meeting = this.#meetings.at(-1);
    if (line.type === 'meeting.called') return this.#readCall(line);
    if (line.type === 'round.closed') {
      this.#rounds.push(readRound(line, seat));
      this.isOver ||= line.events?.some((event) => isLeaving(event, seat)) ?? false;
    }
    if (line.type === 'seat.departed') {
      if (meeting && line.seat !== undefined) meeting.left = [...meeting.left, line.seat];
      this.isOver ||= line.seat === seat;
    }
    if (line.type === 'verdict.announced') {
      const { sentence = null, outcome, ejected = null } = line;
      if (meeting && outcome !== undefined) meeting.result = { sentence, outcome, ejected };
      this.isOver ||= ejected === seat;
    }
    this.isOver ||= line.type === 'game.closed';
    return null;
  }

  #readCall(line: SeenOf<'meeting.called'>): Evidence | null {
    const { by, kind, body = null, place, dead = [] } = line;
    const { seat, map } = this.#reader.witness;
    this.isOver = dead.includes(seat) || by === undefined || kind === undefined;
    if (by === undefined || kind === undefined || this.isOver) return null;
    const spot = map.places.find((one) => one === place) ?? null;
    this.#meetings.push({
      rounds: this.#rounds,
      call: { by, kind, body, place: spot },
      dead,
      ...{ left: [], result: null },
    });
    this.#rounds = [];
    return this.#reader.read(this.#meetings);
  }
}

function isLeaving(event: { readonly type: string; readonly seat?: Colour }, seat: Colour) {
  return event.type === 'seat.departed' && event.seat === seat;
}

function readRound(line: SeenOf<'round.closed'>, seat: Colour): LivedRound {
  const { round = 0, paths, orders = [], seen, deeds, events = [] } = line;
  const path = paths?.[seat] ?? [];
  const sights = (seen?.[seat] ?? []).map(([who, place, did]) => ({ who, place, did }));
  // The lens omits the player themselves.
  if (deeds?.[seat] === 'watching') sights.push({ who: seat, place: 'Security', did: 'watching' });
  const action = orders
    .map((order) => readField('parsed' in order ? order.parsed : order.received, 'action') ?? null)
    .findLast((one) => one !== null);
  const [whom, what] = [readField(action, 'whom'), readField(action, 'what')];
  const intent = {
    type: String(readField(action, 'type')),
    ...{ whom: COLOURS.find((colour) => colour === whom), what: String(what) },
  };
  return { round, path, sights, heard: events, ...(action === undefined ? {} : { intent }) };
}
