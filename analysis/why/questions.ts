/**
 * Lists the questions about a record, and a replacement for each. A silenced message becomes "…" and keeps the floor,
 * so only its words matter. A silenced bid gives the floor to the next player, so the speaker matters.
 */

import type { AnswerChange, Intervention } from '../../actors/replay/whatIf.ts';
import { decodeBid } from '../../machines/journal/codec.ts';
import { throughGlass } from '../../machines/journal/lens.ts';
import type { Line, LineOf } from '../../machines/journal/lines.ts';
import { isBlank } from '../../machines/rules/floor.ts';
import { COLOURS, type Colour, type Role, SYSTEM } from '../../machines/types.ts';
import { findClaims } from '../../prompts/claims/claims.ts';
import { findPlaceClaims, type SpokenMessage } from '../../prompts/claims/reading.ts';
import { readReply } from '../../prompts/reply.ts';
import { type JudgedClaim, judgeTestimony } from '../claims/whereabouts.ts';
import { type MatchOutcome, readOutcome } from './outcome.ts';

/** The possible replacements, the default first. */
export const ASKABLE = {
  messages: ['silence'],
  ballots: ['skip', 'silence'],
  bids: ['silence'],
  kills: ['silence'],
  claims: ['truth', 'silence'],
} as const;

export const SUBJECTS = ['messages', 'ballots', 'bids', 'kills', 'claims'] as const;
export type Subject = (typeof SUBJECTS)[number];

export const REPLACEMENTS = ['silence', 'truth', 'skip'] as const;
export type Replacement = (typeof REPLACEMENTS)[number];

export type WhyQuestion = {
  /** Stable for the same question about the same journal. */
  readonly id: string;
  readonly what: Subject;
  readonly by: Replacement;
  readonly seat: Colour;
  /** The meeting in question, from 0; for a kill the next one. */
  readonly meeting: number;
  /** Null for a kill. */
  readonly tick: number | null;
  /** Null except for a kill. */
  readonly round: number | null;
  readonly words: string;
  readonly instead: string;
  /** The line in the record, from 0. */
  readonly line: number;
  readonly intervention: Intervention;
};

const PAUSE = '…';
const SILENCED: AnswerChange = { message: PAUSE, target: null };
const UNASKED: AnswerChange = { message: '', target: null, desire: 0 };

export function listQuestions(
  lines: readonly Line[],
  what: readonly Subject[],
  by: Replacement | null,
): readonly WhyQuestion[] {
  const reader = new QuestionReader(lines, what, by);
  return lines.flatMap((line, at) => reader.read(line, at));
}

class QuestionReader {
  readonly #what: readonly Subject[];
  readonly #by: Replacement | null;
  readonly #roles: ReadonlyMap<Colour, Role | undefined>;
  readonly #meetings: MatchOutcome['meetings'];
  readonly #judge = judgeTestimony<never>(findPlaceClaims);
  #meeting = -1;
  #tick: { readonly line: LineOf<'tick.closed'>; readonly at: number } | null = null;

  constructor(lines: readonly Line[], what: readonly Subject[], by: Replacement | null) {
    this.#what = what;
    this.#by = by;
    const [header] = lines;
    const seats = header?.type === 'match.opened' ? header.match.seats : [];
    this.#roles = new Map(seats.map(({ colour, role }) => [colour, role]));
    this.#meetings = readOutcome(lines).meetings;
  }

  read(line: Line, at: number): readonly WhyQuestion[] {
    const claims = this.#judge(throughGlass(line));
    if (line.type === 'meeting.called') this.#meeting += 1;
    if (line.type === 'vote.locked') return this.#askAboutBallot(line);
    if (line.type === 'round.closed') return this.#askAboutKills(line, at);
    if (line.type !== 'tick.closed') return [];
    if (line.requestKind !== 'discussion' && line.requestKind !== 'voting') return [];
    this.#tick = { line, at };
    return [
      ...this.#askAboutMessage(line, at),
      ...this.#askAboutClaims(line, at, claims),
      ...this.#askAboutBids(line, at),
    ];
  }

  #replacement<S extends Subject>(subject: S): (typeof ASKABLE)[S][number] | null {
    if (!this.#what.includes(subject)) return null;
    const ways: readonly (typeof ASKABLE)[S][number][] = ASKABLE[subject];
    return ways.find((way) => way === this.#by) ?? ways[0] ?? null;
  }

  #askAboutMessage(line: LineOf<'tick.closed'>, at: number): readonly WhyQuestion[] {
    const { said, tick } = line;
    const by = this.#replacement('messages');
    if (by === null || said === null || said.speaker === SYSTEM || isBlank(said.message)) return [];
    const seat = said.speaker;
    return [this.#ask({ what: 'messages', by, seat, tick, at }, said.message, PAUSE, SILENCED)];
  }

  #askAboutBids(line: LineOf<'tick.closed'>, at: number): readonly WhyQuestion[] {
    const by = this.#replacement('bids');
    if (by === null) return [];
    const eligible = line.scores.filter((score) => score.eligible).map(({ seat }) => seat);
    return line.bids.flatMap((fields) => {
      const bid = decodeBid(fields, { readReply });
      if (bid.type !== 'reply' || !eligible.includes(bid.seat) || isBlank(bid.reply.message))
        return [];
      const { seat } = bid;
      const won = line.floor === seat ? 'has the floor' : 'asks for the floor';
      const words = `${won}: ${bid.reply.message.trim()}`;
      const place = { what: 'bids', by, seat, tick: line.tick, at } as const;
      return [this.#ask(place, words, 'asks for nothing', UNASKED)];
    });
  }

  #askAboutBallot({ seat, ballot }: LineOf<'vote.locked'>): readonly WhyQuestion[] {
    const by = this.#replacement('ballots');
    if (by === null || this.#tick === null) return [];
    const { line, at } = this.#tick;
    const place = { what: 'ballots', by, seat, tick: line.tick, at } as const;
    if (by === 'silence') return [this.#ask(place, ballot, 'no ballot yet', { vote: null })];
    if (ballot !== 'skip') return [this.#ask(place, ballot, 'skip', { vote: 'skip' })];
    // A skip could have been a ballot for one of the leaders.
    const others = this.#findLeaders().filter((leader) => leader !== seat);
    return others.map((leader) =>
      this.#ask({ ...place, part: leader }, ballot, leader, { vote: leader }),
    );
  }

  #findLeaders(): readonly Colour[] {
    const ballots = Object.values(this.#meetings[this.#meeting]?.ballots ?? {});
    const named = ballots.filter((ballot) => ballot !== 'skip');
    const poll = [...Map.groupBy(named, (ballot) => ballot)];
    const most = Math.max(0, ...poll.map(([, { length }]) => length));
    return poll.flatMap(([who, { length }]) => (length === most ? [who] : []));
  }

  #askAboutKills({ seen, round }: LineOf<'round.closed'>, at: number): readonly WhyQuestion[] {
    const by = this.#replacement('kills');
    if (by === null) return [];
    const meeting = this.#meeting + 1;
    return Object.entries(seen).flatMap(([name, sights]) => {
      const seat = COLOURS.find((colour) => colour === name);
      // An impostor learns nothing from a kill.
      if (seat === undefined || this.#roles.get(seat) === 'impostor') return [];
      return sights.flatMap(([killer, place, did]) => {
        if (did !== 'kill' || killer === seat) return [];
        const id = `kills round:${round} ${seat} ${killer} ${by}`;
        const intervention = { type: 'unseen', seat, killer, place, round, meeting } as const;
        const said = { words: `sees ${killer} kill in ${place}`, instead: 'sees nothing of it' };
        const when = { meeting, tick: null, round };
        return [{ id, what: 'kills', by, seat, ...when, ...said, line: at, intervention } as const];
      });
    });
  }

  #askAboutClaims(
    line: LineOf<'tick.closed'>,
    at: number,
    claims: readonly JudgedClaim[],
  ): readonly WhyQuestion[] {
    const { said, tick } = line;
    const by = this.#replacement('claims');
    if (by === null || said === null || said.speaker === SYSTEM) return [];
    const { speaker: seat, message, target = null } = said;
    const speech = { speaker: seat, target, message };
    return message.split(/(?<=[.!?…])\s+/).flatMap((sentence, index, all) => {
      const place = { what: 'claims', by, seat, tick, at, part: String(index + 1) } as const;
      if (by === 'truth') {
        const truth = tellTruth(speech, sentence, claims);
        if (truth === null) return [];
        const changed = all.with(index, truth).join(' ');
        return [this.#ask(place, sentence, truth, { message: changed })];
      }
      const rest = all.toSpliced(index, 1).join(' ');
      const isClaim = findClaims({ ...speech, message: rest }).length < findClaims(speech).length;
      if (!isClaim) return [];
      const change = rest === '' ? SILENCED : { message: rest };
      return [this.#ask(place, sentence, rest === '' ? PAUSE : 'the rest only', change)];
    });
  }

  #ask(place: QuestionPlace, words: string, instead: string, change: AnswerChange): WhyQuestion {
    const { what, by, seat, tick, at, part } = place;
    const meeting = this.#meeting;
    const id = `${what} ${meeting + 1}:${tick} ${seat}${part === undefined ? '' : ` ${part}`} ${by}`;
    const intervention = { type: 'answer', seat, meeting, tick, change } as const;
    const when = { meeting, tick, round: null };
    return { id, what, by, seat, ...when, words, instead, line: at, intervention };
  }
}

type QuestionPlace = Pick<WhyQuestion, 'what' | 'by' | 'seat'> & {
  readonly tick: number;
  readonly at: number;
  /** Distinguishes questions at the same place: a sentence or a candidate. */
  readonly part?: string;
};

/** The sentence with the true place; null if it claims nothing false or cannot be rewritten. */
function tellTruth(speech: SpokenMessage, sentence: string, claims: readonly JudgedClaim[]) {
  for (const { truth, place, places, about } of claims) {
    const real = places.at(-1);
    if (truth !== 'false' || real === undefined) continue;
    const at = sentence.toLowerCase().indexOf(place.toLowerCase());
    if (at < 0) continue;
    const rewritten = sentence.slice(0, at) + real + sentence.slice(at + place.length);
    const message = speech.message.replace(sentence, () => rewritten);
    const isRead = findPlaceClaims({ ...speech, message }).some(
      (claim) => claim.about === about && claim.place === real,
    );
    if (isRead) return rewritten;
  }
  return null;
}
