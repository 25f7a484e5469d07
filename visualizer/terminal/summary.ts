import { readCalls } from '../../machines/journal/calls.ts';
import { isFollowed, type SeenOf } from '../../machines/journal/lens.ts';
import type { Line } from '../../machines/journal/lines.ts';
import {
  type GameProjection,
  type KnownPlayer,
  type Projection,
  type ShipState,
  tasksPerPlayer,
} from '../../machines/journal/projection.ts';
import { pluralize } from '../../machines/text.ts';
import type { Colour } from '../../machines/types.ts';
import { shortenModel } from '../identity.ts';
import { describeEnding, formatClock } from '../text.ts';
import {
  type Blocks,
  banner,
  blank,
  indented,
  type Phrase,
  paragraph,
  type ScreenBlock,
  styled,
} from './layout.ts';
import { name, player } from './phrases.ts';

export function renderSummary(closed: SeenOf<'game.closed'>, state: GameProjection): Blocks {
  const { meetings, messages, players, ship } = state;
  const length = `${formatClock(ship.round)} on the ship, ${pluralize(meetings, 'meeting')}, ${pluralize(messages, 'message')}`;
  return [
    blank(),
    banner('The game is over'),
    indented(styled(describeEnding(closed), 'bold')),
    indented(styled(length, 'dim')),
    blank(),
    ...players.map((one) => renderPlayerSummary(one, state)),
  ];
}

function renderPlayerSummary(one: KnownPlayer, state: GameProjection): ScreenBlock {
  const { seat, role, model } = one;
  const hue = role === 'impostor' ? (['redBright', 'bold'] as const) : [];
  const facts = [
    ...(model === '' ? [] : [[styled(shortenModel(model))]]),
    describeFate(seat, state.ship),
    ...describeTasks(one, state.ship),
    ...describeKills(seat, state.ship),
    ...describeVotes(one, state),
  ];
  const rest = facts.flatMap((fact) => [styled(' · ', 'dim'), ...fact]);
  return paragraph(
    [styled('  ')],
    [...player(seat), styled(role === null ? '' : ': '), styled(role ?? '', ...hue), ...rest],
  );
}

function describeFate(seat: Colour, { losses }: ShipState): Phrase {
  const loss = losses.find((each) => each.seat === seat);
  if (loss === undefined) return [styled('survived', 'dim')];
  const by = loss.by === null ? [] : [styled(' by ', 'dim'), name(loss.by)];
  const how = loss.how === 'left' ? 'left the game' : loss.how;
  const when = loss.how === 'killed' && loss.by === null ? 'before' : 'at';
  return [styled(how), ...by, styled(` ${when} ${formatClock(loss.round)}`, 'dim')];
}

function describeTasks({ seat, role }: KnownPlayer, ship: ShipState): readonly Phrase[] {
  if (!isFollowed(ship.lens, seat) || role !== 'crewmate') return [];
  return [[styled(`${ship.tasksDone[seat] ?? 0}/${tasksPerPlayer(ship)} tasks`, 'dim')]];
}

function describeKills(seat: Colour, { losses }: ShipState): readonly Phrase[] {
  const victims = losses.filter(({ by }) => by === seat).length;
  return victims === 0 ? [] : [[styled(pluralize(victims, 'kill'), 'redBright')]];
}

function describeVotes({ seat, role }: KnownPlayer, state: Projection): readonly Phrase[] {
  const cast = state.ballots.flatMap(({ voter, ballot }) =>
    voter === seat && ballot !== 'skip' ? [ballot] : [],
  );
  if (role !== 'crewmate' || cast.length === 0) return [];
  const impostors = state.players.filter((one) => one.role === 'impostor').map((one) => one.seat);
  const right = cast.filter((ballot) => impostors.includes(ballot)).length;
  return [[styled(`${right} of ${cast.length} votes right`, right > 0 ? 'green' : 'dim')]];
}

const TROUBLES: Readonly<Record<string, string>> = {
  'context-overflow':
    'the prompt was too long; start the server with a larger context (--ctx-size of llama-server, OLLAMA_CONTEXT_LENGTH, --max-model-len of vLLM), or let its proxy pass larger requests',
  truncated: 'the answer was cut off; --effort none or low leaves more room for it',
  refusal: 'the model declined to play',
  'refused order': 'the order was against the rules',
  'refused vote': 'the vote was against the rules',
};

/** What went wrong with the models of a match, the most frequent first: "5 × truncated: the answer was cut off". */
export function describeTroubles(lines: readonly Line[]): readonly string[] {
  const calls = readCalls(lines);
  const asked = new Set(calls.map(({ seat }) => seat));
  const refused = lines.flatMap((line) => {
    const events = line.type === 'round.closed' ? line.events : [line];
    return events.flatMap((event) =>
      (event.type === 'intent.refused' || event.type === 'vote.refused') && asked.has(event.seat)
        ? [event.type === 'vote.refused' ? 'refused vote' : 'refused order']
        : [],
    );
  });
  const failures = calls.flatMap(({ failure }) => (failure === 'aborted' ? [] : (failure ?? [])));
  return [...Map.groupBy([...failures, ...refused], (code) => code)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([code, { length }]) => [`${length} × ${code}`, TROUBLES[code] ?? []].flat().join(': '));
}
