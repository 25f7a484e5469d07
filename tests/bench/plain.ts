/**
 * The limit: the same rules in a plain loop, with no actor, no statechart and no journal.
 *
 * It asks the same minds with the same views and takes the same steps, so what the actor system costs on top of it is
 * the price of actors.
 */

import type { LightMind } from '../../actors/minds/port.ts';
import { type ArbiterBooks, invitations, tableView } from '../../machines/charts/arbiter.ts';
import { rollDice } from '../../machines/rules/dice.ts';
import { closeFloorTick, EMPTY_FLOOR } from '../../machines/rules/floor.ts';
import {
  closeTick,
  layTable,
  livingSeats,
  seatsWithBallot,
  type Table,
} from '../../machines/rules/meeting.ts';
import { NO_PAST } from '../../machines/rules/record.ts';
import { livingView, publicTable } from '../../machines/rules/views.ts';
import type { PreparedMeeting } from '../../machines/setup/prepare.ts';
import type { Bid, BySeat, Colour } from '../../machines/types.ts';
import { readReply } from '../../prompts/reply.ts';

/** Plays a number of ticks of talk. */
export function playPlainly(
  { setting, players }: PreparedMeeting,
  minds: BySeat<LightMind>,
  ticks: number,
): Table {
  const selves = new Map(
    players.map((player) => [
      player.colour,
      { ...player, past: NO_PAST, ballot: null, notices: [] },
    ]),
  );
  const seated = setting.seats.map(({ colour }) => colour);
  let table = layTable(setting);
  let floor = EMPTY_FLOOR;
  for (let tick = 0; tick < ticks; tick++) {
    const opened = {
      type: 'tick.opened',
      table: publicTable(table, 'discussion'),
      seats: livingSeats(table),
      voted: seatsWithBallot(table),
    } as const;
    const books: ArbiterBooks = {
      chance: setting.chance,
      options: setting.options,
      seated,
      floor,
      pending: null,
      opened,
    };
    const shown = tableView(books);
    const bids = invitations(books).flatMap(({ seat, calledOn }): Bid[] => {
      const self = selves.get(seat);
      const mind = minds[seat];
      if (self === undefined || mind === undefined || shown === null) return [];
      const view = livingView(self, shown, calledOn);
      return [bidOf(seat, mind.answer({ kind: 'discussion', index: tick, view }))];
    });
    const dice = rollDice({ ...setting.chance, stream: 'table', tick }, opened.seats);
    const gathered = { bids, dice, seated, voted: opened.voted };
    const result = closeFloorTick(floor, gathered, setting.options);
    floor = result.floor;
    const tickEvent = {
      tick,
      requestKind: 'discussion',
      bids,
      dice,
      decision: result.verdict,
    } as const;
    table = { ...table, ...closeTick(table, tickEvent).changes };
  }
  return table;
}

function bidOf(seat: Colour, answer: ReturnType<LightMind['answer']>): Bid {
  const reading = answer.ok ? readReply(answer.received) : null;
  if (!answer.ok || reading === null || !reading.ok)
    throw new Error('the minds of the bench do not fail');
  return { type: 'reply', seat, received: answer.received, reply: reading.reply };
}
