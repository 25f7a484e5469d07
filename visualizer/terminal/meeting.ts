import type { SeenLine, SeenOf } from '../../machines/journal/lens.ts';
import {
  type BallotCount,
  countTurned,
  readBid,
  type SeenTick,
} from '../../machines/journal/projection.ts';
import { SCORE_TERMS } from '../../machines/rules/scoreTerms.ts';
import { pluralize } from '../../machines/text.ts';
import { COLOURS, type Colour, type Hit, NUDGE, type Phase } from '../../machines/types.ts';
import { accusedIn } from '../accused.ts';
import { explainFloor } from '../floorReason.ts';
import { badgeOf, describeCall, describeDeparture, MEETING_ENDINGS } from '../text.ts';
import { renderHeader } from './header.ts';
import {
  type Blocks,
  banner,
  blank,
  glue,
  INDENT,
  indented,
  joinPhrases,
  NUMBER_WIDTH,
  type Phrase,
  paragraph,
  type ScreenBlock,
  type StyledText,
  styled,
  type TextStyle,
  WIDE_DOT,
  widthOf,
} from './layout.ts';
import {
  candidateText,
  paintPieces,
  player,
  players,
  playerWithName,
  type Scene,
  seatCode,
} from './phrases.ts';

type LineRenderers = {
  readonly [Type in SeenLine['type']]: (line: SeenOf<Type>, scene: Scene) => Blocks;
};

/** `game.ts` renders the lines of rounds and of the end. The count of a poll would spoil the reveal. */
const RENDERERS: LineRenderers = {
  'match.opened': renderHeader,
  'round.closed': () => [],
  'end.requested': () => [],
  'game.closed': () => [],
  'meeting.called': (line) => renderCall(line),
  'meeting.refused': ({ note }) => [
    indented(styled(`No meeting: ${note?.text ?? 'refused'}`, 'yellow')),
  ],
  'phase.entered': ({ phase }) =>
    phase === undefined ? [] : [blank(), banner(PHASE_TITLES[phase])],
  'tick.closed': renderTick,
  'stop.requested': () => [END_ASKED],
  'scratchpads.updated': renderNotes,
  'scratchpads.consolidated': renderKeptNotes,
  'scratchpads.erased': () => [],
  'seat.faulted': renderFault,
  'seat.departed': ({ seat, reason }) =>
    tellOf(seat, styled(` ${describeDeparture(reason)}`, 'yellow')),
  'meeting.closed': (line, scene) => [blank(), ...renderEnding(line, scene)],
  'beliefs.opened': () => [],
  'belief.stated': renderBelief,
  'vote.locked': renderVote,
  'vote.refused': ({ seat, note }) =>
    tellOf(seat, styled(` gets the note: ${note?.text ?? 'your vote does not count'}`, 'yellow')),
  'vote.cleared': ({ seat, leaver }) => {
    const why =
      leaver === undefined ? [] : [styled(' (it was for '), ...player(leaver), styled(')')];
    return tellOf(seat, styled(' may vote again'), ...why);
  },
  'poll.closed': renderPollClosed,
  'poll.counted': () => [],
  'ballot.revealed': renderTurnedBallot,
  'verdict.announced': ({ sentence }) =>
    sentence === undefined
      ? []
      : [indented(styled('.  .  .', 'dim')), blank(), indented(styled(sentence, 'bold'))],
  'gallery.opened': ({ present, budget }) =>
    budget === undefined || present !== true
      ? []
      : [ghostRemark(styled(`the ghosts watch, with ${pluralize(budget, 'turn')} of talk`, 'dim'))],
  'gallery.closed': () => [],
  'ghost.joined': ({ seat }) =>
    seat === undefined ? [] : [ghostRemark(...player(seat), styled(' joins the ghosts', 'dim'))],
  'turn.closed': renderGhostTurn,
};

const PHASE_TITLES: Readonly<Record<Phase, string>> = {
  interrupt: 'A meeting is called',
  discussion: 'Discussion',
  voting: 'Voting',
  reveal: 'Reveal',
  reaction: 'Reaction',
  consolidation: 'Consolidation',
};

export function renderLine<T extends SeenLine['type']>(line: SeenOf<T>, scene: Scene): Blocks {
  const render: LineRenderers[T] = RENDERERS[line.type];
  return render(line, scene);
}

/** A line that begins with a player. There is none where the lens hides the player. */
function tellOf(seat: Colour | undefined, ...words: Phrase): Blocks {
  return seat === undefined ? [] : [indented(...player(seat), ...words)];
}

export const END_ASKED = indented(styled('Somebody asks for the end.', 'yellow'));

export function renderCall(line: SeenOf<'meeting.called'>, thought?: string): Blocks {
  if (line.by === undefined) return [];
  return [indented(...paintPieces(describeCall(line))), ...renderThought(thought, INDENT)];
}

const NUDGES = { ticks: 'the talk has been long', tokens: 'so much has been said' } as const;

function renderTick(tick: SeenTick, scene: Scene): Blocks {
  if (tick.requestKind === 'reaction' || tick.requestKind === 'consolidation')
    return renderPrivateTick(tick, scene);
  const lead = `${String(tick.tick ?? '').padStart(NUMBER_WIDTH)}  `;
  const bids = renderBids(tick, lead);
  const speech = renderSpeech(tick, scene, bids.length === 0 ? lead : INDENT);
  const { lens, minds } = scene.state;
  return [
    ...(bids.length === 0 || lens.type === 'table' ? [] : [blank()]),
    ...bids,
    speech,
    ...renderMarks(tick, scene),
    ...(tick.floor ? renderThought(minds.thoughts[tick.floor], INDENT) : []),
    ...renderNudge(tick),
  ];
}

function renderSpeech({ said }: SeenTick, { names }: Scene, lead: string): ScreenBlock {
  const at = [styled(lead, 'dim')];
  if (said == null) return paragraph(at, [styled('no player bids for the floor', 'dim', 'italic')]);
  const { speaker: by, target, message } = said;
  const who = by === 'system' ? [styled('System', 'bold')] : playerWithName(by, names);
  const to = target === undefined ? [] : [styled(' to '), ...player(target)];
  const words =
    message === ''
      ? [styled('says nothing', 'italic')]
      : [styled('“'), styled(message, 'bold'), styled('”')];
  return paragraph(at, [...who, ...to, styled(': '), ...words]);
}

function renderMarks(tick: SeenTick, { state: { lens } }: Scene): Blocks {
  const { hits = [] } = tick;
  if (lens.type === 'table' || hits.length === 0) return [];
  const accused = accusedIn(tick);
  const marks = hits.map((hit) => describeHit(hit, accused.includes(hit.seat)));
  return [paragraph([styled(`${INDENT}! `, 'yellow')], joinPhrases(marks, styled('; ', 'dim')))];
}

/** A message accuses a player if the reader of claims says so. The score counts targets and words. */
function describeHit({ seat, kind, word, reason }: Hit, isAccused: boolean): Phrase {
  const verb = kind === 'mention' ? 'names' : isAccused ? 'accuses' : 'addresses';
  const where = kind === 'mention' ? ` (“${word}”)` : ` (“${word}”, ${reason})`;
  const why = word === 'target' ? [] : [styled(where, 'dim')];
  return [styled(`${verb} `, 'dim'), ...player(seat), ...why];
}

function renderNudge({ nudge }: SeenTick): Blocks {
  if (nudge == null) return [];
  const why = styled(` (${NUDGES[nudge]})`, 'dim');
  return [indented(styled('System:', 'bold', 'cyan'), styled(` “${NUDGE}”`, 'bold'), why)];
}

function renderPrivateTick({ requestKind, bids }: SeenTick, { state }: Scene): Blocks {
  const what =
    requestKind === 'reaction' ? 'Everybody takes it in.' : 'Everybody decides what to keep.';
  const minds = (bids ?? []).flatMap(({ seat, fault }) => {
    if (fault !== undefined) return tellOf(seat, styled(` · fault: ${fault}`, 'red'));
    const thought = state.minds.thoughts[seat] ?? '';
    if (thought === '') return [];
    return tellOf(seat, styled(' thinks: ', 'dim'), styled(thought, 'italic'));
  });
  return [indented(styled(what, 'dim')), ...minds];
}

type SeenScore = NonNullable<SeenTick['scores']>[number];

/** The table of bids; empty where the lens shows none. The first line begins with `lead`, the others below it. */
function renderBids(tick: SeenTick, lead: string): Blocks {
  const ranked = (tick.scores ?? []).toSorted(
    (one, other) => rankBid(other, tick) - rankBid(one, tick),
  );
  if (ranked.length === 0) return [];
  const indent = ' '.repeat(lead.length);
  const rows = ranked.map((score, place) => renderBid(score, tick, place === 0 ? lead : indent));
  const why = explainFloor(tick);
  if (why === '' || ranked.length === 1) return rows;
  return [...rows, paragraph([styled(`${indent}  `)], [styled(why, 'dim', 'italic')])];
}

function rankBid(score: SeenScore, { floor }: SeenTick): number {
  return (score.seat === floor ? 2 * FAR : 0) + (score.eligible ? FAR : 0) + score.total;
}
const FAR = 1e6;

function renderBid(score: SeenScore, tick: SeenTick, lead: string): ScreenBlock {
  const { seat, total } = score;
  const wins = tick.floor === seat;
  const weight = wins ? 'bold' : 'dim';
  return paragraph(
    [
      styled(lead, 'dim'),
      styled(wins ? '▸ ' : '  '),
      seatCode(seat),
      styled(` ${String(total).padStart(3)} = `, weight),
    ],
    [...listTerms(score, wins ? [] : ['dim']), ...remarkOnBid(score, tick)],
  );
}

/** "desire 7 +2 named +3 addressed": the desire, and every other term that is not 0. */
function listTerms(score: SeenScore, styles: readonly TextStyle[]): Phrase {
  const others = SCORE_TERMS.flatMap(({ key, label }) => {
    const value = score[key];
    if (!value || key === 'desire') return [];
    const name = key === 'silence' ? `${label}(${score.silentTicks})` : label;
    return [styled(' '), ...glue(`${value > 0 ? '+' : '-'}${Math.abs(value)} ${name}`, ...styles)];
  });
  return [...glue(`desire ${score.desire ?? 0}`, ...styles), ...others];
}

function remarkOnBid({ seat, calledOn }: SeenScore, { bids }: SeenTick): Phrase {
  const bid = bids?.find((each) => each.seat === seat);
  if (bid?.fault !== undefined) return [styled(` · fault: ${bid.fault}`, 'red')];
  const isBlank = bids !== undefined && (bid === undefined || readBid(bid).message.trim() === '');
  const called = calledOn === true ? [styled(' · called on', 'yellow')] : [];
  return isBlank ? [...called, styled(' · nothing to say', 'dim')] : called;
}

function renderVote({ seat, ballot }: SeenOf<'vote.locked'>, scene: Scene): Blocks {
  if (seat === undefined || ballot === undefined) return tellOf(seat, styled(' has voted'));
  const lock = styled(ballot === 'skip' ? ' locks in a vote to ' : ' locks in a vote for ');
  // The speech already shows the speaker's thought.
  const why =
    seat === scene.state.meeting?.tick?.floor ? undefined : scene.state.minds.thoughts[seat];
  return [indented(...player(seat), lock, ...candidateText(ballot)), ...renderThought(why, INDENT)];
}

function renderPollClosed({ reason, missed = [] }: SeenOf<'poll.closed'>): Blocks {
  const why = reason === 'time-up' ? 'The time is up' : 'Everybody has voted';
  const late = missed.length === 0 ? [] : [styled('. Without a vote: '), ...players(missed)];
  return [indented(styled(`${why}: the poll is closed`, 'bold'), ...late)];
}

function renderTurnedBallot(line: SeenOf<'ballot.revealed'>, { state }: Scene): Blocks {
  const { index = 0, ballot } = line;
  if (ballot === undefined) return [];
  const who = line.voter ?? line.by;
  const vote = who === undefined ? [styled('somebody')] : player(who);
  const isVoid = line.void === true ? [styled(' (void)', 'yellow')] : [];
  const lead = [
    styled(`${String(index + 1).padStart(NUMBER_WIDTH)}  `, 'dim'),
    ...vote,
    styled(' → '),
    ...candidateText(ballot),
  ];
  const space = styled(' '.repeat(Math.max(2, COUNT_COLUMN - widthOf(lead))));
  const count = renderCount(countTurned(state.meeting?.turned ?? []));
  return [paragraph([...lead, space], [...count, ...isVoid])];
}

const COUNT_COLUMN = 30;

/** "BL ■■ 2 · skip ■ 1" */
function renderCount(turned: readonly BallotCount[]): Phrase {
  const bars = turned.map(({ candidate: who, votes }) => {
    const name = who === 'skip' ? 'skip' : badgeOf(who).code;
    return glue(`${name} ${'■'.repeat(votes)} ${votes}`, 'dim');
  });
  return joinPhrases(bars, WIDE_DOT);
}

function renderEnding({ outcome, ejected }: SeenOf<'meeting.closed'>, { state }: Scene): Blocks {
  const ending = MEETING_ENDINGS[outcome ?? 'interrupted'];
  const isStopped = outcome === 'interrupted';
  const how: Phrase =
    ejected == null
      ? [styled(ending)]
      : [...player(ejected), styled(isStopped ? ` was ejected, then ${ending}` : ' was ejected')];
  const ticks = state.meeting?.ticks ?? 0;
  const talk = styled(` (${pluralize(ticks, 'tick')} of talk)`, 'dim');
  return [banner('The meeting is over'), indented(...how, talk)];
}

/** Printed characters of a notebook. The journal has all of it. */
const NOTE_LENGTH = 280;

export function renderThought(thought: string | undefined, indent: string): Blocks {
  if (thought === undefined || thought.trim() === '') return [];
  return [paragraph([styled(`${indent}~ `, 'dim')], [styled(thought, 'dim', 'italic')])];
}

function renderNotes({ seat, main, meeting }: SeenOf<'scratchpads.updated'>): Blocks {
  const pages = { 'meeting page': meeting, 'main page': main };
  return Object.entries(pages).flatMap(([title, text]) =>
    text === undefined ? [] : tellOf(seat, styled(` notes (${title}): ${clip(text)}`, 'dim')),
  );
}

function renderBelief({ seat, probabilities = {}, fault }: SeenOf<'belief.stated'>): Blocks {
  const stated = COLOURS.flatMap((about) => {
    const share = probabilities[about];
    return share === undefined ? [] : [{ about, share }];
  }).toSorted((one, other) => other.share - one.share);
  const suspects = stated.flatMap(({ about, share }, index) => [
    styled(index === 0 ? ' ' : ', ', 'dim'),
    seatCode(about),
    ...glue(` ${Math.round(share * 100)} %`, 'dim'),
  ]);
  const said =
    stated.length === 0 ? [styled(` nothing (${fault ?? 'no answer'})`, 'dim')] : suspects;
  return tellOf(seat, styled(' suspects', 'dim'), ...said);
}

function renderKeptNotes(written: SeenOf<'scratchpads.consolidated'>): Blocks {
  const { seat, main, line, channel } = written;
  if (seat === undefined) return [];
  const lead = typeof main === 'string' ? ' keeps: ' : ' wrote nothing; the engine adds: ';
  const what = [styled(lead, 'dim'), styled(clip(main ?? line ?? ''))];
  const margin = channel === 'ghosts' ? GHOST_MARGIN : INDENT;
  return [paragraph([styled(margin)], [...player(seat), ...what])];
}

/** A fault in words. That a player leaves is in the next line, and is no fault to people. */
function renderFault({ seat, code, streak }: SeenOf<'seat.faulted'>): Blocks {
  if (code === 'seat/left') return [];
  const times = streak === undefined || streak < 2 ? '' : `, ${streak} times in a row`;
  return tellOf(seat, styled(` gives no usable reply (${code ?? 'unknown'}${times})`, 'red'));
}

function clip(text: string): string {
  const letters = Array.from(text);
  return letters.length <= NOTE_LENGTH ? text : `${letters.slice(0, NOTE_LENGTH).join('')}…`;
}

/** Set apart by a line of their own, because the living never hear them. */
const GHOST_MARGIN = `${INDENT}┊ `;

function renderGhostTurn({ requestKind, said, bids = [] }: SeenOf<'turn.closed'>): Blocks {
  const remark = (seat: Colour, words: StyledText) =>
    ghostRemark(...player(seat), styled(' (ghost)', 'dim'), words);
  if (said != null) return [remark(said.speaker, styled(` “${said.message}”`, 'dim'))];
  if (requestKind !== 'reaction') return [];
  return bids.flatMap((bid) => {
    const { thought } = readBid(bid);
    return thought.trim() === ''
      ? []
      : [remark(bid.seat, styled(` thinks: ${thought}`, 'dim', 'italic'))];
  });
}

function ghostRemark(...text: Phrase): ScreenBlock {
  return paragraph([styled(GHOST_MARGIN, 'dim')], text);
}
