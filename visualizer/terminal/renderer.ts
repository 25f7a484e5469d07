/**
 * Renders a meeting or a game line by line as it happens. It applies the lens first, so the output can't
 * show more than the lens does. A missing field is hidden and left out.
 */
import { type Lens, lensFor, type SeenLine } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import { emptyProjection, next, type Players } from '../../machines/journal/projection.ts';
import type { Phase } from '../../machines/types.ts';
import { shortenModel } from '../identity.ts';
import { flushRounds, type GameStory, openStory, renderGameCall, tellLine } from './game.ts';
import { renderHeader } from './header.ts';
import { type Blocks, banner, blank, indented, layOut, styled } from './layout.ts';
import {
  renderBelief,
  renderCall,
  renderDeparture,
  renderFault,
  renderGallery,
  renderGhostJoined,
  renderGhostNotes,
  renderGhostTurn,
  renderKeptNotes,
  renderMeetingEnd,
  renderNotes,
  renderPollClosed,
  renderTick,
  renderTurnedBallot,
  renderVerdict,
  renderVote,
  renderVoteCleared,
  renderVoteRefused,
  type Scene,
} from './meeting.ts';
import type { Names } from './phrases.ts';

type RendererOptions = {
  readonly lens: Lens;
  /** Whether the terminal takes colours; the caller has asked NO_COLOR and the stream. */
  readonly colour: boolean;
  readonly width: number;
  /** Names beside the colours. The default is the model names. */
  readonly names?: Names;
  /** Whether each tick shows the score of its winner, for spectators of a game without people. */
  readonly hasWinners?: boolean;
};

/**
 * Renders one line per call and returns the lines to print. Quiet rounds are collected first; `end` returns
 * the rest.
 */
type Renderer = { (line: Line): readonly string[]; end(): readonly string[] };

export function createRenderer({
  lens,
  names = {},
  hasWinners = false,
  ...page
}: RendererOptions): Renderer {
  const look = lensFor(lens);
  const see = (line: Line) => (hasWinners ? addWinner(look(line), line) : look(line));
  let state = emptyProjection(lens);
  let story: GameStory | null = null;
  let modelNames: Names = {};
  const print = (blocks: Blocks) => blocks.flatMap((block) => layOut(block, page));
  const render = (line: Line) => {
    const seen = see(line);
    if (seen === null) return [];
    state = next(state, seen);
    if (seen.type === 'match.opened') modelNames = nameModels(state.players);
    // Names that the caller knows come first.
    const scene = { state, names: { ...modelNames, ...names } };
    const { ship } = state;
    if (ship === null) return print(renderLine(seen, scene));
    const after = tellLine(story ?? openStory(ship), seen, { ...state, ship });
    story = after.story;
    const blocks =
      seen.type === 'meeting.called' ? renderGameCall(story, seen) : renderLine(seen, scene);
    return print([...after.blocks, ...blocks]);
  };
  const end = () => {
    if (story === null) return [];
    const after = flushRounds(story);
    story = after.story;
    return print(after.blocks);
  };
  return Object.assign(render, { end });
}

/** A tick with the score of the bid that won it. */
function addWinner(seen: SeenLine | null, line: Line): SeenLine | null {
  if (seen?.type !== 'tick.closed' || line.type !== 'tick.closed') return seen;
  return { ...seen, scores: line.scores?.filter(({ seat }) => seat === line.floor) ?? [] };
}

function nameModels(players: Players): Names {
  return Object.fromEntries(
    players.flatMap(({ seat, model }) => (model === '' ? [] : [[seat, shortenModel(model)]])),
  );
}

function renderLine(line: SeenLine, scene: Scene): Blocks {
  switch (line.type) {
    case 'match.opened':
      return renderHeader(line, scene);
    // `game.ts` renders these.
    case 'round.closed':
    case 'end.requested':
    case 'game.closed':
      return [];
    case 'meeting.called':
      return renderCall(line);
    case 'meeting.refused':
      return [indented(styled(`No meeting: ${line.note?.text ?? 'refused'}`, 'yellow'))];
    case 'phase.entered':
      return line.phase === undefined ? [] : [blank(), banner(PHASE_TITLES[line.phase])];
    case 'tick.closed':
      return renderTick(line, scene);
    case 'stop.requested':
      return [indented(styled('Somebody asks for the end.', 'yellow'))];
    case 'scratchpads.updated':
      return renderNotes(line);
    case 'scratchpads.consolidated':
      return line.channel === 'ghosts' ? renderGhostNotes(line) : renderKeptNotes(line);
    case 'seat.faulted':
      return renderFault(line);
    case 'meeting.closed':
      return [blank(), ...renderMeetingEnd(line, scene)];
    case 'beliefs.opened':
      return [];
    case 'belief.stated':
      return renderBelief(line);
    default:
      return renderPollLine(line, scene);
  }
}

type LineRenderedHere =
  | 'match.opened'
  | 'round.closed'
  | 'end.requested'
  | 'game.closed'
  | 'meeting.called'
  | 'meeting.refused'
  | 'phase.entered'
  | 'tick.closed'
  | 'stop.requested'
  | 'scratchpads.updated'
  | 'scratchpads.consolidated'
  | 'seat.faulted'
  | 'meeting.closed'
  | 'beliefs.opened'
  | 'belief.stated';

function renderPollLine(line: Exclude<SeenLine, { type: LineRenderedHere }>, scene: Scene): Blocks {
  switch (line.type) {
    case 'vote.locked':
      return renderVote(line, scene);
    case 'vote.refused':
      return renderVoteRefused(line);
    case 'vote.cleared':
      return renderVoteCleared(line);
    case 'seat.departed':
      return renderDeparture(line);
    case 'poll.closed':
      return renderPollClosed(line);
    case 'ballot.revealed':
      return renderTurnedBallot(line, scene);
    case 'verdict.announced':
      return renderVerdict(line);
    default:
      return renderGhostLine(line);
  }
}

type UnspokenLine = Extract<
  SeenLine,
  { channel: 'ghosts' } | { type: 'poll.counted' | 'scratchpads.erased' }
>;

function renderGhostLine(
  line: Exclude<UnspokenLine, { type: 'scratchpads.consolidated' }>,
): Blocks {
  switch (line.type) {
    case 'gallery.opened':
      return renderGallery(line);
    case 'ghost.joined':
      return renderGhostJoined(line);
    case 'turn.closed':
      return renderGhostTurn(line);
    // The count would spoil the reveal. The other two lines don't interest viewers.
    case 'poll.counted':
    case 'scratchpads.erased':
    case 'gallery.closed':
      return [];
    default:
      return line satisfies never;
  }
}

const PHASE_TITLES: Readonly<Record<Phase, string>> = {
  interrupt: 'A meeting is called',
  discussion: 'Discussion',
  voting: 'Voting',
  reveal: 'Reveal',
  reaction: 'Reaction',
  consolidation: 'Consolidation',
};
