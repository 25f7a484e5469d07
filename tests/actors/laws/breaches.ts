/** For every property, a journal that keeps it and an edit that breaks it. They show that the oracle is not blind. */

import { SimulatedClock } from '../../../actors/engine/clock.ts';
import type { BidFields, Line, LivingLine, ReplyFields } from '../../../machines/journal/lines.ts';
import { meetingIn } from '../../../machines/journal/opening.ts';
import type { MeetingMatch } from '../../../machines/setup/match.ts';
import { aTable, FAULT, following, LEAVE, linesOf, meet, type Script, slowly } from './meetings.ts';
import { replyOf } from './oracle/consequences.ts';
import type { LineOf, PropertyCode } from './oracle/property.ts';

type Edit = (lines: Line[]) => void;
type Tick = LineOf<'tick.closed'>;
type Score = Tick['scores'][number];

export const JOURNALS = {
  /** Two dead, nudges, ties, messages that are cut, an ejection. */
  house: () =>
    held(
      aTable(
        { living: 8, dead: 2 },
        { options: { nudge_after: 6, nudge_every: 4, message_tokens: 12 } },
      ),
      1,
    ),
  /** Blue votes for red, red leaves, and blue votes again. */
  classic: () =>
    held(
      aTable({ living: 5, dead: 1 }, { options: { rules: 'classic' } }),
      5,
      (seat, { index }) => {
        if (seat === 'blue' && index === 3) return { vote_action: 'red' };
        return seat === 'red' && index === 4 ? LEAVE : null;
      },
    ),
  anonymous: () =>
    held(aTable({ living: 6 }, { options: { anonymous_votes: true, confirm_ejects: false } }), 4),
  faulty: () =>
    held(
      aTable({ living: 7 }, { fault_rate: 0.2, options: { patience: 3 } }),
      6,
      (seat, { index }) => (seat === 'green' && index > 1 ? FAULT : null),
    ),
  unconverged: () => held(aTable({ living: 5 }, { options: { max_ticks: 3 } }), 7),
  stopped,
} as const satisfies Record<string, () => Promise<Line[]>>;

export type Breach = { readonly journal: keyof typeof JOURNALS; readonly edit: Edit };

async function held(match: MeetingMatch, seed: number, script: Script = () => null) {
  return linesOf(await meet(match, seed, { recast: following(script) }));
}

/** Stopped from outside in the middle of tick 2. */
async function stopped(): Promise<Line[]> {
  const clock = new SimulatedClock();
  const meeting = await meet(aTable({ living: 5 }), 8, {
    clock,
    recast: (mind) => slowly(mind, clock, () => 50),
    begun: (meeting) => clock.setTimeout(() => meeting.stop(), 120),
  });
  return linesOf(meeting);
}

const breachOf = (journal: keyof typeof JOURNALS) => (edit: Edit) => ({ journal, edit });
const house = breachOf('house');
const classic = breachOf('classic');
const anonymous = breachOf('anonymous');
const faulty = breachOf('faulty');

/** A breach of one score of a tick of talk. */
function term(edit: (score: Score) => void, where: (score: Score) => boolean = () => true) {
  const scores = (lines: readonly Line[]) => talk(lines).flatMap((tick) => tick.scores);
  return house((lines) => edit(first(scores(lines), where)));
}

export const BREACHES: Readonly<Record<PropertyCode, Breach>> = {
  'course/opened': house((lines) => swap(lines, lines.indexOf(the(lines, 'meeting.called')), 0)),
  'course/phase': house((lines) => drop(lines, phase(lines, 'voting'))),
  'course/place': house((lines) => {
    const poll = the(lines, 'poll.closed');
    drop(lines, poll);
    insert(lines, poll, 'after', the(lines, 'verdict.announced'));
  }),
  'course/tick': house((lines) => {
    first(talk(lines)).tick += 1;
  }),
  'course/requestKind': house((lines) => {
    first(talk(lines)).requestKind = 'voting';
  }),
  'course/clock': classic((lines) => {
    headerOf(lines).options.discussion_time = 30;
  }),
  'course/limit': breachOf('unconverged')((lines) => {
    headerOf(lines).options.max_ticks = null;
  }),
  'course/stop': breachOf('stopped')((lines) => {
    const stop = the(lines, 'stop.requested');
    drop(lines, stop);
    insert(lines, stop, 'before', first(talk(lines)));
  }),
  'course/closed': house((lines) => {
    the(lines, 'meeting.closed').ejected = null;
  }),

  'bids/living': house((lines) => {
    const tick = first(talk(lines));
    const { seat } = first(tick.bids, (bid) => bid.seat !== tick.floor);
    tick.bids = tick.bids.filter((bid) => bid.seat !== seat);
    tick.scores = tick.scores.filter((score) => score.seat !== seat);
  }),
  'bids/departed': classic((lines) => {
    const tick = talk(lines).at(-1);
    const old = first(talk(lines).flatMap(({ bids }) => bids));
    tick?.bids.unshift({ ...old, seat: the(lines, 'seat.departed').seat });
  }),
  'bids/ghost': house((lines) => {
    const { bids } = first(talk(lines));
    bids.push({ ...first(bids), seat: dead(lines) });
  }),
  'bids/desire': house((lines) => {
    change(first(first(talk(lines)).bids), { desire_to_speak: 4.5 });
  }),

  'score/each': house((lines) => {
    const tick = first(talk(lines));
    tick.scores = tick.scores.filter(({ seat }) => seat === tick.floor);
  }),
  'score/desire': term((score) => raise(score, 'desire')),
  'score/mention': term((score) => raise(score, 'mention')),
  'score/accusation': term(
    (score) => raise(score, 'accusation', -3),
    ({ accusation }) => accusation > 0,
  ),
  'score/silence': term(
    (score) => raise(score, 'silence', -1),
    ({ silence }) => silence > 0,
  ),
  'score/die': term((score) => raise(score, 'die', 6)),
  'score/spoke': term(
    (score) => raise(score, 'recentSpeaker', -4),
    ({ silence }) => silence > 9,
  ),
  'score/voted': term(
    (score) => raise(score, 'voted'),
    ({ voted }) => voted < 0,
  ),
  'score/total': term((score) => {
    score.total += 1;
  }),
  'score/called-on': term((score) => {
    score.calledOn = !score.calledOn;
  }),
  'score/fault': faulty((lines) => {
    const tick = first(talk(lines), ({ bids }) => bids.some(isFault));
    const { seat } = first(tick.bids, isFault);
    for (const score of tick.scores) score.eligible ||= score.seat === seat;
  }),
  'score/blank': faulty((lines) => {
    const { bids, scores, floor } = first(talk(lines), ({ scores: all }) => all.length > 1);
    const { seat } = first(scores, (score) => score.eligible && score.seat !== floor);
    const { received } = first(bids, (bid) => bid.seat === seat);
    Object.assign(received as object, { message: '' });
  }),
  'score/barred': house((lines) => {
    const { scores, floor } = first(talk(lines));
    first(scores, ({ seat, eligible }) => eligible && seat !== floor).eligible = false;
  }),

  'floor/eligible': house((lines) => {
    const { scores, floor } = first(talk(lines));
    first(scores, ({ seat }) => seat === floor).eligible = false;
  }),
  'floor/highest': house((lines) => {
    const tick = first(talk(lines));
    const most = Math.max(...tick.scores.map(({ total }) => total));
    give(tick, first(tick.scores, ({ total }) => total < most).seat);
  }),
  'floor/tie': house((lines) => {
    const tick = first(talk(lines), ({ tie }) => tie !== null);
    const most = Math.max(
      ...tick.scores.filter((score) => score.eligible).map((score) => score.total),
    );
    const equals = tick.scores.filter(({ eligible, total }) => eligible && total === most);
    give(tick, first(equals, ({ seat }) => seat !== tick.floor).seat);
  }),
  'floor/nobody': house((lines) => {
    Object.assign(first(talk(lines)), { floor: null, said: null, hits: [], tie: null });
  }),
  'floor/talk': house((lines) => {
    const tick = first(ticks(lines), ({ requestKind }) => requestKind === 'reaction');
    tick.floor = first(tick.bids).seat;
  }),

  'said/speaker': house((lines) => {
    said(lines).speaker = 'system';
  }),
  'said/words': house((lines) => {
    said(lines).message += '?';
  }),
  'said/cap': house((lines) => {
    const tick = first(talk(lines), ({ said }) => said !== null);
    const flood = 'words '.repeat(40).trim();
    for (const bid of tick.bids) if (bid.seat === tick.floor) change(bid, { message: flood });
    if (tick.said !== null) tick.said.message = flood;
  }),
  'hits/self': house((lines) => {
    const { hits, floor } = first(talk(lines), ({ floor }) => floor !== null);
    if (floor !== null) hits.push({ seat: floor, kind: 'mention', word: floor, reason: 'vain' });
  }),
  'hits/named': house((lines) => {
    const { hits } = first(talk(lines), hasHit('mention'));
    hits.splice(hits.indexOf(first(hits, ({ kind }) => kind === 'mention')), 1);
  }),
  'hits/accused': house((lines) => {
    const { hits } = first(talk(lines), hasHit('accusation'));
    hits.splice(hits.indexOf(first(hits, ({ kind }) => kind === 'accusation')), 1);
  }),
  'nudge/reason': house((lines) => {
    first(talk(lines), ({ nudge }) => nudge !== null).nudge = null;
  }),
  'nudge/spacing': house((lines) => {
    const index = talk(lines).findIndex(({ nudge }) => nudge !== null);
    first(talk(lines).slice(index + 1)).nudge = 'ticks';
  }),

  'vote/twice': house((lines) => {
    const lock = the(lines, 'vote.locked');
    insert(lines, { ...lock }, 'after', talk(lines).at(-1));
  }),
  'vote/target': house((lines) => {
    recast(lines, the(lines, 'vote.locked'), dead(lines));
  }),
  'vote/closed': classic((lines) => {
    const tick = first(talk(lines));
    const bid = first(tick.bids);
    change(bid, { vote_action: 'skip' });
    insert(lines, { ...the(lines, 'vote.locked'), seat: bid.seat, ballot: 'skip' }, 'after', tick);
  }),
  'vote/invented': house((lines) => {
    const lock = the(lines, 'vote.locked');
    lock.ballot = lock.ballot === 'skip' ? lock.seat : 'skip';
  }),
  'vote/lost': house((lines) => drop(lines, the(lines, 'vote.locked'))),
  'vote/cleared': classic((lines) => drop(lines, the(lines, 'vote.cleared'))),

  'poll/early': house((lines) => {
    const lock = the(lines, 'vote.locked');
    for (const bid of tickOf(lines, lock).bids) {
      if (bid.seat === lock.seat) change(bid, { vote_action: null });
    }
    drop(lines, lock);
  }),
  'poll/late': house((lines) => {
    const last = first(talk(lines).slice(-1));
    insert(
      lines,
      { ...structuredClone(last), tick: last.tick + 1 },
      'before',
      phase(lines, 'voting'),
    );
  }),
  'poll/reason': house((lines) => {
    the(lines, 'poll.closed').reason = 'time-up';
  }),
  'poll/missed': house((lines) => {
    the(lines, 'poll.closed').missed.push('red');
  }),
  'poll/void': house((lines) => {
    the(lines, 'poll.closed').void.push('red');
  }),
  'poll/count': house((lines) => {
    first(the(lines, 'poll.counted').counts).votes += 1;
  }),
  'poll/outcome': house((lines) => {
    Object.assign(the(lines, 'poll.counted'), { outcome: 'tie', ejected: null });
  }),

  'reveal/order': house((lines) => {
    const at = lines.indexOf(the(lines, 'ballot.revealed'));
    swap(lines, at, at + 1);
  }),
  'reveal/ballot': house((lines) => {
    const turned = the(lines, 'ballot.revealed');
    turned.ballot = turned.ballot === 'skip' ? 'red' : 'skip';
  }),
  'reveal/all': house((lines) => {
    drop(lines, first(all(lines, 'ballot.revealed').slice(-1)));
  }),
  'reveal/anonymous': anonymous((lines) => {
    const turned = the(lines, 'ballot.revealed');
    turned.voter = turned.by;
  }),
  'reveal/sentence': anonymous((lines) => {
    the(lines, 'verdict.announced').sentence = 'Red was not An Impostor. 1 Impostor remains.';
  }),
  'reveal/verdict': house((lines) => {
    Object.assign(the(lines, 'verdict.announced'), { outcome: 'skipped', ejected: null });
  }),

  'fault/streak': faulty((lines) => {
    the(lines, 'seat.faulted').streak += 1;
  }),
  'fault/patience': faulty((lines) => drop(lines, the(lines, 'seat.departed'))),
  'fault/left': classic((lines) => {
    insert(lines, { ...the(lines, 'seat.departed') }, 'after', the(lines, 'vote.cleared'));
  }),

  'pads/noted': house((lines) => {
    the(lines, 'scratchpads.updated').meeting = 'I trust everybody.';
  }),
  'pads/kept': house((lines) => {
    Object.assign(the(lines, 'scratchpads.consolidated'), { main: null, line: null });
  }),
  'pads/erased': house((lines) => drop(lines, the(lines, 'scratchpads.erased'))),

  'ghosts/seats': house((lines) => {
    const { bids } = turn(lines);
    bids.unshift({ ...first(bids), seat: 'red' });
  }),
  'ghosts/joined': house((lines) => {
    ghost(lines, 'ghost.joined').seat = 'red';
  }),
  'ghosts/turn': house((lines) => {
    turn(lines).turn += 1;
  }),
  'ghosts/budget': house((lines) => {
    ghost(lines, 'gallery.opened').budget = 1;
  }),
  'ghosts/heard': house((lines) => {
    const { said } = turn(lines, (line) => line.said !== null);
    if (said !== null) said.message = 'Boo.';
  }),
  'ghosts/react': house((lines) =>
    drop(
      lines,
      turn(lines, ({ requestKind }) => requestKind === 'reaction'),
    ),
  ),
  'ghosts/kept': house((lines) => drop(lines, ghost(lines, 'scratchpads.erased'))),
};

export function edited(lines: readonly Line[], edit: Edit): Line[] {
  const copy = structuredClone([...lines]);
  edit(copy);
  const next = { living: 0, ghosts: 0, beliefs: 0 };
  for (const line of copy) line.seq = next[line.channel]++;
  return copy;
}

function first<T>(list: readonly T[], where: (one: T) => boolean = () => true): T {
  const found = list.find(where);
  if (found === undefined)
    throw new Error('expected something to edit in this journal, found none');
  return found;
}

function all<T extends LivingLine['type']>(lines: readonly Line[], type: T): LineOf<T>[];
function all(lines: readonly Line[], type: string): Line[] {
  return lines.filter((line) => line.channel === 'living' && line.type === type);
}

function the<T extends LivingLine['type']>(lines: readonly Line[], type: T): LineOf<T> {
  return first(all(lines, type));
}

function headerOf(lines: readonly Line[]): MeetingMatch {
  return first([meetingIn(lines[0])].filter((match) => match !== null));
}

type GhostType = Exclude<Line, LivingLine>['type'];

function ghost<T extends GhostType>(lines: readonly Line[], type: T): LineOf<T, 'ghosts'>;
function ghost(lines: readonly Line[], type: string): Line {
  return first(lines, (line) => line.channel === 'ghosts' && line.type === type);
}

type Turn = LineOf<'turn.closed', 'ghosts'>;

function turn(lines: readonly Line[], where: (line: Turn) => boolean = () => true): Turn {
  const turns = lines.flatMap((line) => (line.type === 'turn.closed' ? [line] : []));
  return first(turns, where);
}

const ticks = (lines: readonly Line[]): Tick[] => all(lines, 'tick.closed');
const talk = (lines: readonly Line[]): Tick[] =>
  ticks(lines).filter(
    ({ requestKind }) => requestKind === 'discussion' || requestKind === 'voting',
  );

function phase(lines: readonly Line[], wanted: string): Line {
  return first(all(lines, 'phase.entered'), (line) => line.phase === wanted);
}

const said = (lines: readonly Line[]) => first(talk(lines).flatMap((tick) => tick.said ?? []));

function tickOf(lines: readonly Line[], line: Line): Tick {
  return first(ticks(lines.slice(0, lines.indexOf(line))).slice(-1));
}

function dead(lines: readonly Line[]) {
  const { seats } = headerOf(lines);
  return first(seats, (seat) => seat.dead).colour;
}

const isFault = ({ fault }: BidFields) => fault !== undefined;
const hasHit = (kind: string) => (tick: Tick) => tick.hits.some((hit) => hit.kind === kind);

function drop(lines: Line[], line: Line): void {
  lines.splice(lines.indexOf(line), 1);
}

function insert(lines: Line[], line: Line, side: 'before' | 'after', mark: Line | undefined): void {
  const at = mark === undefined ? -1 : lines.indexOf(mark);
  if (at < 0) throw new Error('expected a line to insert beside, found none');
  lines.splice(side === 'before' ? at : at + 1, 0, line);
}

function swap(lines: Line[], one: number, other: number): void {
  const [first, second] = [lines[one], lines[other]];
  if (first === undefined || second === undefined) throw new Error('expected two lines to swap');
  lines[one] = second;
  lines[other] = first;
}

function change(bid: BidFields, changes: Partial<ReplyFields>): void {
  const reply = replyOf(bid);
  if (reply === null) throw new Error(`expected a reply of ${bid.seat}, found a fault`);
  bid.parsed = { ...reply, ...changes };
}

function raise(
  score: Score,
  name: keyof Score &
    ('desire' | 'mention' | 'accusation' | 'silence' | 'die' | 'recentSpeaker' | 'voted'),
  by = 1,
): void {
  score[name] += by;
  score.total += by;
}

function give(tick: Tick, floor: Exclude<Tick['floor'], null>): void {
  tick.floor = floor;
  if (tick.said !== null) tick.said.speaker = floor;
}

function recast(
  lines: readonly Line[],
  lock: LineOf<'vote.locked'>,
  ballot: typeof lock.ballot,
): void {
  const bids = tickOf(lines, lock).bids.filter(({ seat }) => seat === lock.seat);
  for (const bid of bids) change(bid, { vote_action: ballot });
  lock.ballot = ballot;
}
