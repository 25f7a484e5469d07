import type { SeenEvent } from '../../machines/journal/lens.ts';
import {
  isNoFinder,
  type SeenRound,
  type ShipState,
  secondsUntilLost,
  thoughtIn,
} from '../../machines/journal/projection.ts';
import { capitalize, SYSTEM_NAMES } from '../../machines/text.ts';
import type { Colour, System } from '../../machines/types.ts';
import { describeDeparture, VENT_MOVES, withArticle } from '../text.ts';
import {
  type Blocks,
  INDENT,
  type Phrase,
  paragraph,
  type ScreenBlock,
  type StyledText,
  styled,
} from './layout.ts';
import { renderThought } from './meeting.ts';
import { clockLead, formatSeconds, listNames, name, player } from './phrases.ts';

const BROKEN: Readonly<Record<System, string>> = {
  reactor: 'The reactor melts down',
  o2: 'The oxygen runs out',
  lights: 'The lights go out',
  comms: 'The comms fall silent',
};

type ToldRound = Readonly<{ round: SeenRound; before: ShipState; at: StyledText }>;

type ToldEvent<Type> = Extract<SeenEvent, { readonly type: Type }>;

export function renderRoundEvents(round: SeenRound, before: ShipState): Blocks {
  const told = { round, before, at: clockLead(round.round ?? before.round) };
  const rendered = (round.events ?? []).flatMap((event) => renderEvent(event, told));
  return [...rendered, ...renderCrimesSeen(told), ...renderBodiesFound(told)];
}

function renderEvent(event: SeenEvent, told: ToldRound): Blocks {
  const { round, at } = told;
  switch (event.type) {
    case 'player.killed':
      return renderKill(event, told);
    case 'vent.used':
      return renderVent(event, told);
    case 'sabotage.begun':
      return renderSabotage(event, told);
    case 'sabotage.fixed': {
      if (event.system === undefined) return [];
      const by =
        event.by === undefined
          ? []
          : [styled(' (', 'dim'), ...listNames(event.by), styled(')', 'dim')];
      const what = `${capitalize(SYSTEM_NAMES[event.system])} ${MENDED[event.system]}`;
      return [eventLine(at, '✓ ', [styled(what, 'green'), ...by])];
    }
    case 'keypad.entered': {
      const by = event.seat === undefined ? [styled('Somebody')] : player(event.seat);
      return [eventLine(at, '  ', [...by, styled(` enters the code in ${event.at ?? 'a room'}`)])];
    }
    case 'doors.shut': {
      const what = `the doors of ${event.room ?? 'a room'}`;
      if (event.by === undefined)
        return [eventLine(at, '  ', [styled(`${capitalize(what)} shut`)])];
      return [
        eventLine(at, '  ', [...player(event.by), styled(` shuts ${what}`)]),
        ...renderMotive(round, event.by),
      ];
    }
    case 'seat.departed': {
      if (event.seat === undefined) return [];
      const why = ` ${describeDeparture(event.reason)}`;
      return [eventLine(at, '  ', [...player(event.seat), styled(why, 'yellow')])];
    }
    default:
      return [];
  }
}

export function summarizeEvent(event: SeenEvent): readonly Phrase[] {
  if (event.type === 'sabotage.begun' && event.system !== undefined)
    return [[styled(BROKEN[event.system], 'yellow')]];
  if (event.type === 'seat.departed' && event.seat !== undefined)
    return [[name(event.seat), styled(` ${describeDeparture(event.reason)}`, 'yellow')]];
  if (event.type !== 'player.killed' || event.by === undefined || event.victim === undefined)
    return [];
  return [[name(event.by), styled(' kills ', 'redBright'), name(event.victim)]];
}

const MENDED: Readonly<Record<System, string>> = {
  reactor: 'is stable again',
  o2: 'flows again',
  lights: 'are on again',
  comms: 'are back',
};

function renderKill({ by, victim, place }: ToldEvent<'player.killed'>, told: ToldRound): Blocks {
  const { round, before, at } = told;
  if (by === undefined || victim === undefined || place === undefined) return [];
  const eyes = before.seats
    .map(({ colour }) => colour)
    .filter((seat) =>
      round.seen?.[seat]?.some(
        ([who, where, did]) => who === by && where === place && did === 'kill',
      ),
    );
  const seen = eyes.length === 0 ? [] : [styled(', before the eyes of '), ...listNames(eyes)];
  const text = [
    ...player(by),
    styled(' kills ', 'redBright', 'bold'),
    ...player(victim),
    styled(` in ${withArticle(place)}`),
    ...seen,
  ];
  return [eventLine(at, '✖ ', text, 'redBright'), ...renderMotive(round, by)];
}

function renderVent(
  { seat, how, place }: ToldEvent<'vent.used'>,
  { round, at }: ToldRound,
): Blocks {
  if (seat === undefined || how === undefined || place === undefined) return [];
  const text = [...player(seat), styled(` ${VENT_MOVES[how]} ${withArticle(place)}`, 'magenta')];
  return [eventLine(at, '≈ ', text, 'magenta'), ...renderMotive(round, seat)];
}

function renderSabotage({ by, system }: ToldEvent<'sabotage.begun'>, told: ToldRound): Blocks {
  const { round, before, at } = told;
  if (system === undefined) return [];
  const limit = secondsUntilLost(before, system);
  const time = limit === null ? '' : `: ${limit} seconds`;
  const who = by === undefined ? [] : [styled(' (', 'dim'), ...player(by), styled(')', 'dim')];
  const text = [styled(`${BROKEN[system]}${time}`, 'yellow', 'bold'), ...who];
  const why = by === undefined ? [] : renderMotive(round, by);
  return [eventLine(at, '! ', text, 'yellow'), ...why];
}

/** Crimes that the player of the lens saw where the lens does not show the deed itself. */
function renderCrimesSeen({ round, before: { lens }, at }: ToldRound): Blocks {
  if (lens.type !== 'player') return [];
  const shown = (round.events ?? []).flatMap((event) =>
    event.type === 'player.killed' ? [event.by] : event.type === 'vent.used' ? [event.seat] : [],
  );
  return (round.seen?.[lens.seat] ?? []).flatMap(([who, place, did]) => {
    if ((did !== 'kill' && did !== 'vent') || shown.includes(who)) return [];
    const what = did === 'kill' ? ' kill in ' : ' at the vent in ';
    const text = [
      ...player(lens.seat),
      styled(' sees '),
      ...player(who),
      styled(`${what}${withArticle(place)}`),
    ];
    return [eventLine(at, '✖ ', text, 'redBright')];
  });
}

/** Bodies that a player comes upon for the first time, unless the player was there when it happened. */
function renderBodiesFound({ round, before, at }: ToldRound): Blocks {
  const { seen = {}, events = [] } = round;
  const fresh = events.flatMap((event) =>
    event.type === 'player.killed' && event.victim !== undefined ? [event.victim] : [],
  );
  const finds = before.seats.flatMap(({ colour: by }) =>
    (isNoFinder(before, by) ? [] : (seen[by] ?? []))
      .filter(([, , did]) => did === 'dead')
      .map(([victim, place]) => ({ victim, place, by }))
      .filter(({ victim }) => !fresh.includes(victim) && !before.found.includes(victim)),
  );
  return [...Map.groupBy(finds, ({ victim }) => victim).values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const text = [
      ...listNames(alike.map(({ by }) => by)),
      styled(` ${alike.length === 1 ? 'sees' : 'see'} the body of `),
      ...player(first.victim),
      styled(` in ${withArticle(first.place)}`),
    ];
    return [eventLine(at, '† ', text, 'redBright')];
  });
}

export function renderCountdown({ sabotage, round }: ShipState): Blocks {
  if (sabotage === null || sabotage.left === null) return [];
  const text = `${formatSeconds(sabotage.left)} until ${SYSTEM_NAMES[sabotage.system]} is lost`;
  return [eventLine(clockLead(round), '! ', [styled(text, 'yellow')], 'yellow')];
}

function renderMotive(round: SeenRound, seat: Colour): Blocks {
  return renderThought(thoughtIn(round, seat), INDENT);
}

function eventLine(
  at: StyledText,
  mark: string,
  text: Phrase,
  ...hue: readonly ('redBright' | 'yellow' | 'magenta')[]
): ScreenBlock {
  return paragraph([at, styled(mark, ...hue)], text);
}
