/**
 * The writer: the canonical text of a line, written straight from its fact.
 *
 * It says what `encode` says and `canonical` spells, in one pass without the value in between: names stand here in their
 * order, so none is sorted, and only text that people or minds wrote is escaped. A game of a mass run has hundreds of
 * lines and nobody who looks at their values. A property holds the writer to the slow way, for facts of every type.
 */
import type { Fact, GhostFact } from '../rules/facts.ts';
import type { RoundEvent } from '../rules/ship/draft.ts';
import type { GameFact } from '../rules/ship/game.ts';
import type { Decision, Intent, Order } from '../rules/ship/orders.ts';
import type { Sight } from '../rules/ship/sight.ts';
import {
  type Bid,
  type BySeat,
  COLOURS,
  type Colour,
  type Deed,
  type Hit,
  type Note,
  type PadUpdates,
  type Place,
  type Reply,
  type Score,
} from '../types.ts';
import { canonical, stringText } from './canonical.ts';
import { isPlainDecision, isPlainReply } from './codec.ts';
import type { Channel } from './lines.ts';

/** The text that is hashed: what `canonical` gives for the encoded fact with its channel and its place in it. */
export function writeBody(
  fact: Fact | GhostFact | GameFact,
  channel: Channel,
  seq: number,
): string {
  const where = `"channel":"${channel}"`;
  const end = `"seq":${seq},"type":"${fact.type}"`;
  switch (fact.type) {
    case 'round.closed':
      return writeRound(fact, where, end);
    case 'tick.closed':
      return writeTick(fact, where, seq);
    case 'turn.closed': {
      const { bids, requestKind, said, turn, type } = fact;
      const words =
        said === null
          ? 'null'
          : `{"message":${stringText(said.message)},"speaker":"${said.speaker}"}`;
      return `{"bids":${writeBids(bids)},${where},"requestKind":"${requestKind}","said":${words},"seq":${seq},"turn":${turn},"type":"${type}"}`;
    }
    case 'meeting.called': {
      const { by, kind, body, place } = fact.call;
      return `{"body":${word(body)},"by":"${by}",${where},"kind":"${kind}","place":${word(place)},${end}}`;
    }
    case 'meeting.refused':
      return `{${where},"note":${writeNote(fact.note)},${end}}`;
    case 'phase.entered':
      return `{${where},"phase":"${fact.phase}",${end}}`;
    case 'stop.requested':
      return `{${where},"during":"${fact.during}","outcome":"${fact.outcome}",${end}}`;
    case 'seat.faulted': {
      const { code, seat, streak, type } = fact;
      return `{${where},"code":${stringText(code)},"seat":"${seat}","seq":${seq},"streak":${streak},"type":"${type}"}`;
    }
    case 'seat.departed':
      return `{${where},"during":${word(fact.during)},"reason":"${fact.reason}","seat":"${fact.seat}",${end}}`;
    case 'scratchpads.updated': {
      const { main, meeting } = fact.pads;
      return `{${where}${field('main', main)}${field('meeting', meeting)},"seat":"${fact.seat}",${end}}`;
    }
    case 'scratchpads.consolidated':
      return `{${where},"line":${text(fact.line)},"main":${text(fact.main)},"seat":"${fact.seat}",${end}}`;
    case 'scratchpads.erased':
      return `{${where},${end}}`;
    case 'meeting.closed':
      return `{${where},"ejected":${word(fact.ejected)},"outcome":"${fact.outcome}",${end}}`;
    case 'ghost.joined':
      return `{${where},"seat":"${fact.seat}",${end}}`;
    case 'gallery.closed':
      return `{${where},"seq":${seq},"turns":${fact.turns},"type":"${fact.type}"}`;
    case 'end.requested':
      return `{${where},"reason":"${fact.reason}",${end}}`;
    case 'game.closed':
      return `{${where},"reason":"${fact.reason}",${end},"winner":${word(fact.winner)}}`;
    default:
      return writeVote(fact, where, end);
  }
}

type VoteType = `vote.${string}` | `poll.${string}` | 'ballot.revealed' | 'verdict.announced';

/** What became of votes. */
function writeVote(fact: Extract<Fact, { type: VoteType }>, where: string, end: string): string {
  switch (fact.type) {
    case 'vote.locked':
      return `{"ballot":"${fact.ballot}",${where},"seat":"${fact.seat}",${end}}`;
    case 'vote.refused':
      return `{${where},"note":${writeNote(fact.note)},"seat":"${fact.seat}",${end},"vote":"${fact.vote}"}`;
    case 'vote.cleared':
      return `{${where},"leaver":"${fact.leaver}","seat":"${fact.seat}",${end}}`;
    case 'poll.closed':
      return `{${where},"missed":${words(fact.missed)},"reason":"${fact.reason}",${end},"void":${words(fact.void)}}`;
    case 'poll.counted': {
      const { counts, ejected, outcome } = fact;
      const rows = list(
        counts,
        ({ candidate, votes }) => `{"candidate":"${candidate}","votes":${votes}}`,
      );
      return `{${where},"counts":${rows},"ejected":${word(ejected)},"outcome":"${outcome}",${end}}`;
    }
    case 'ballot.revealed': {
      const { ballot, by, index, voter } = fact;
      return `{"ballot":"${ballot}","by":"${by}",${where},"index":${index},${end},"void":${fact.void},"voter":${word(voter)}}`;
    }
    case 'verdict.announced': {
      const { ejected, outcome, sentence } = fact;
      return `{${where},"ejected":${word(ejected)},"outcome":"${outcome}","sentence":${stringText(sentence)},${end}}`;
    }
    default:
      return fact satisfies never;
  }
}

/* Values. Words of the game need no escaping; whatever a mind, a person or a file brought in does. */

function word(value: string | null): string {
  return value === null ? 'null' : `"${value}"`;
}

function text(value: string | null): string {
  return value === null ? 'null' : stringText(value);
}

/** A field that follows another one, if it is there. */
function field(name: 'main' | 'meeting', value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${stringText(value)}`;
}

function list<T>(items: readonly T[], write: (item: T) => string): string {
  let written = '[';
  let comma = '';
  for (const item of items) {
    written += comma + write(item);
    comma = ',';
  }
  return `${written}]`;
}

function words(items: readonly string[]): string {
  return items.length === 0 ? '[]' : `["${items.join('","')}"]`;
}

/** The colours as canonical JSON orders them. */
const SORTED = [...COLOURS].sort();

/** One value for each seat that has one. */
function seats<T>(values: BySeat<T>, write: (value: T, seat: Colour) => string | null): string {
  let written = '{';
  let comma = '';
  for (const seat of SORTED) {
    const value = values[seat];
    const shown = value === undefined ? null : write(value, seat);
    if (shown === null) continue;
    written += `${comma}"${seat}":${shown}`;
    comma = ',';
  }
  return `${written}}`;
}

function writeNote({ code, text: said }: Note): string {
  return `{"code":${stringText(code)},"text":${stringText(said)}}`;
}

function writePads({ main, meeting }: PadUpdates): string {
  if (main === undefined) {
    return meeting === undefined ? '{}' : `{"meeting_scratch":${stringText(meeting)}}`;
  }
  const second = meeting === undefined ? '' : `,"meeting_scratch":${stringText(meeting)}`;
  return `{"main_scratch":${stringText(main)}${second}}`;
}

type Tick = Extract<Fact, { type: 'tick.closed' }>;

function writeTick(
  { tick, requestKind, bids, dice, decision, type }: Tick,
  where: string,
  seq: number,
) {
  const start = `{"bids":${writeBids(bids)},${where}`;
  const end = `"seq":${seq},"tick":${tick}`;
  if (decision === null) {
    return `${start},"floor":null,"hits":[],"nudge":null,"requestKind":"${requestKind}","said":null,"scores":[],${end},"tie":null,"type":"${type}"}`;
  }
  const { floor, hits, nudge, said, scores, tieBreak } = decision;
  const draws = tieBreak === 'draw' ? `,"draws":${seats(dice, ({ draw }) => String(draw))}` : '';
  const heard = said === null ? 'null' : writeUtterance(said);
  return `${start}${draws},"floor":${word(floor)},"hits":${list(hits, writeHit)},"nudge":${word(nudge)},"requestKind":"${requestKind}","said":${heard},"scores":${list(scores, writeScore)},${end},"tie":${word(tieBreak)},"type":"${type}"}`;
}

function writeUtterance({
  speaker,
  target,
  message,
  tick,
}: NonNullable<NonNullable<Tick['decision']>['said']>): string {
  const addressed = target === null ? '' : `,"target":"${target}"`;
  return `{"message":${stringText(message)},"speaker":"${speaker}"${addressed},"tick":${tick}}`;
}

function writeHit({ kind, reason, seat, word: found }: Hit): string {
  return `{"kind":"${kind}","reason":${stringText(reason)},"seat":"${seat}","word":${stringText(found)}}`;
}

/** Terms that are 0 and flags that are false are left out, as `encode` does. */
function writeScore(score: Score): string {
  const { accusation, desire, die, mention, recentSpeaker, silence, silentTicks, voted } = score;
  let written = '{';
  if (accusation !== 0) written += `"accusation":${accusation},`;
  if (score.calledOn) written += '"calledOn":true,';
  if (desire !== 0) written += `"desire":${desire},`;
  written += `"die":${die},`;
  if (score.eligible) written += '"eligible":true,';
  if (score.hasVoted) written += '"hasVoted":true,';
  if (mention !== 0) written += `"mention":${mention},`;
  if (recentSpeaker !== 0) written += `"recentSpeaker":${recentSpeaker},`;
  written += `"seat":"${score.seat}",`;
  if (silence !== 0) written += `"silence":${silence},`;
  if (silentTicks !== 0) written += `"silentTicks":${silentTicks},`;
  written += `"total":${score.total}`;
  return voted === 0 ? `${written}}` : `${written},"voted":${voted}}`;
}

function writeBids(bids: readonly Bid[]): string {
  return list(bids, writeBid);
}

function writeBid(bid: Bid): string {
  if (bid.type === 'fault') return writeFault(bid);
  const { seat, received, reply } = bid;
  if (isPlainReply(received, reply)) {
    // What was received has these fields and no others.
    return `{"received":${writeReply(reply)},"seat":"${seat}"}`;
  }
  return `{"notes":${list(reply.notes, writeNote)},"parsed":${writeReply(reply)}${sent(received)},"seat":"${seat}"}`;
}

/** The fields of a reply, as they were received where reading it changed nothing. */
function writeReply({ desire, message, pads, target, thought, vote }: Reply): string {
  return `{"desire_to_speak":${desire},"internal_thought":${stringText(thought)},"message":${stringText(message)},"scratchpad_updates":${writePads(pads)},"target":${word(target)},"vote_action":${word(vote)}}`;
}

function writeFault(fault: Extract<Bid | Order, { type: 'fault' }>): string {
  const { code, received, seat, text: why } = fault;
  return `{"fault":${stringText(code)}${sent(received)},"seat":"${seat}","text":${stringText(why)}}`;
}

/** What arrived, where anything did. */
function sent(received: unknown): string {
  return received === undefined ? '' : `,"received":${canonical(received)}`;
}

type Round = Extract<GameFact, { type: 'round.closed' }>;

function writeRound(
  { deeds, events, orders, paths, round, seen }: Round,
  where: string,
  end: string,
): string {
  return `{${where},"deeds":${seats(deeds, writeDeed)},"events":${list(events, writeEvent)},"orders":${list(orders, writeOrder)},"paths":${seats(paths, writePath)},"round":${round},"seen":${seats(seen, writeSights)},${end}}`;
}

/** Who only passes is left out. */
function writeDeed(deed: Deed): string | null {
  return deed === 'passing' ? null : `"${deed}"`;
}

function writePath(path: readonly Place[]): string {
  return words(path);
}

/** What a player saw of others. */
function writeSights(sights: readonly Sight[], seat: Colour): string | null {
  let written = '';
  for (const { who, place, did } of sights) {
    if (who === seat) continue;
    written += `${written === '' ? '' : ','}["${who}","${place}","${did}"]`;
  }
  return written === '' ? null : `[${written}]`;
}

function writeOrder(order: Order): string {
  if (order.type === 'fault') return writeFault(order);
  const { decision, received, seat } = order;
  if (isPlainDecision(received, decision)) {
    return `{"received":${writeDecision(decision)},"seat":"${seat}"}`;
  }
  return `{"notes":${list(decision.notes, writeNote)},"parsed":${writeDecision(decision)}${sent(received)},"seat":"${seat}"}`;
}

function writeDecision({ intent, pads, thought }: Decision): string {
  return `{"action":${intent === null ? 'null' : writeIntent(intent)},"internal_thought":${stringText(thought)},"scratchpad_updates":${writePads(pads)}}`;
}

function writeIntent(intent: Intent): string {
  const type = `"type":"${intent.type}"`;
  switch (intent.type) {
    case 'wait':
      return `{"rounds":${intent.rounds},${type}}`;
    case 'go':
      return `{"to":"${intent.to}",${type}}`;
    case 'follow':
      return `{"rounds":${intent.rounds},${type},"whom":"${intent.whom}"}`;
    case 'task':
    case 'fake':
      return `{"task":"${intent.task}",${type}}`;
    case 'kill':
      return `{${type},"whom":"${intent.whom}"}`;
    case 'vent':
      return `{"to":${intent.to},${type}}`;
    case 'surface':
    case 'button':
      return `{${type}}`;
    case 'sabotage':
      return `{"system":"${intent.system}",${type}}`;
    case 'shut':
      return `{"room":"${intent.room}",${type}}`;
    case 'fix':
      return `{"at":"${intent.at}",${type}}`;
    case 'report':
      return `{"body":"${intent.body}",${type}}`;
    case 'watch':
      return `{"rounds":${intent.rounds},${type},"what":"${intent.what}"}`;
    default:
      return intent satisfies never;
  }
}

function writeEvent(event: RoundEvent): string {
  const type = `"type":"${event.type}"`;
  switch (event.type) {
    case 'intent.refused':
      return `{"intent":${writeIntent(event.intent)},"note":${writeNote(event.note)},"seat":"${event.seat}",${type}}`;
    case 'seat.faulted':
      return `{"code":${stringText(event.code)},"seat":"${event.seat}","streak":${event.streak},${type}}`;
    case 'seat.departed':
      return `{"reason":"${event.reason}","seat":"${event.seat}",${type}}`;
    case 'player.killed':
      return `{"by":"${event.by}","place":"${event.place}",${type},"victim":"${event.victim}"}`;
    case 'vent.used':
      return `{"how":"${event.how}","place":"${event.place}","seat":"${event.seat}",${type},"vent":${event.vent}}`;
    case 'sabotage.begun':
      return `{"by":"${event.by}","system":"${event.system}",${type}}`;
    case 'sabotage.fixed':
      return `{"by":${words(event.by)},"system":"${event.system}",${type}}`;
    case 'keypad.entered':
      return `{"at":"${event.at}","seat":"${event.seat}",${type}}`;
    case 'doors.shut':
      return `{"by":"${event.by}","room":"${event.room}",${type}}`;
    case 'doors.opened':
      return `{"room":"${event.room}",${type}}`;
    case 'task.stepped':
      return `{"done":${event.done},"seat":"${event.seat}","steps":${event.steps},"task":"${event.task}",${type}}`;
    default:
      return event satisfies never;
  }
}
