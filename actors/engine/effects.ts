/** The effects of the statecharts in a match that is played. */
import { compile } from 'glass-box-checker/compile';
import { wireCharts } from '../../machines/charts/wiring.ts';
import { bidsLogic } from './bids.ts';
import { cancelRequest, consult, submit } from './consult.ts';
import { ordersLogic } from './orders.ts';
import { contextOf, send, sendIfThere } from './runContext.ts';

const production = wireCharts({
  bids: bidsLogic,
  orders: ordersLogic,
  consult,
  cancelRequest,
  submit,
  send: ({ system }, messages) => send(system, messages),
  callTime: ({ system }, where, messages) =>
    contextOf(system).callTime(where, () => sendIfThere(system, messages)),
  noteLate: ({ event, system }) => {
    if (event.type === 'bid.late') contextOf(system).noteLateBid(event.tick, event.bid);
  },
  announceMeeting: ({ system }, facts, table) => contextOf(system).emitMeetingFacts(facts, table),
  announceGhosts: ({ system }, facts) => contextOf(system).emitGhostFacts(facts),
  announceGame: ({ system }, facts, course) => contextOf(system).emitGameFacts(facts, course),
});

/** XState itself steps the charts, or the checker's compiled plans do. Both write the same journals to the byte. */
export type ChartEngine = 'compiled' | 'xstate';

export function machinesFor(engine: ChartEngine): typeof production {
  if (engine === 'xstate') return production;
  return { meetingSession: compile(production.meetingSession), game: compile(production.game) };
}
