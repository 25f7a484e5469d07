import { expect, test } from 'vitest';
import { REPLY_READERS } from '../../actors/engine/consult.ts';
import { mapSeats } from '../../machines/rules/seats.ts';
import { dealTasks } from '../../machines/rules/ship/tasks.ts';
import { drawRoles } from '../../machines/setup/prepare.ts';
import { isRecord } from '../../machines/text.ts';
import type { Bid } from '../../machines/types.ts';
import { askListed } from '../../proofs/checks/listedChecks.ts';
import { emittingMachines } from '../../proofs/models/meetingSystem.ts';
import { ANSWER_LAWS, KEEPING_LAW } from '../../proofs/properties/answers.ts';
import { ROLE_LAW, TASK_LAW } from '../../proofs/properties/deals.ts';
import { misremembered } from '../../proofs/properties/player.ts';

test('all listed answers and lives of a player are as the laws say', () => {
  const { verdicts } = askListed({ now: () => 0 });
  expect(verdicts.filter(({ verdict }) => verdict.type !== 'proved')).toEqual([]);
  expect(verdicts).toHaveLength(6);
});

test('a reader that takes an empty page for none, or an empty name for vent 0, is noticed', () => {
  const [replies, orders] = ANSWER_LAWS;
  const readReply: typeof REPLY_READERS.readReply = (received) => {
    const reading = REPLY_READERS.readReply(received);
    if (!reading.ok || reading.reply.pads.main !== '') return reading;
    const { main: _, ...pads } = reading.reply.pads;
    return { ...reading, reply: { ...reading.reply, pads } };
  };
  const readOrder: typeof REPLY_READERS.readOrder = (received) => {
    const action = isRecord(received) ? received['action'] : null;
    const isEmpty = isRecord(action) && action['to'] === '';
    return REPLY_READERS.readOrder(
      isEmpty ? { ...action, action: { ...action, to: '0' } } : received,
    );
  };
  expect([...replies.misread({ readReply, readOrder })]).not.toEqual([]);
  expect([...orders.misread({ readReply, readOrder })]).not.toEqual([]);
});

test('a player that keeps the pages of an abandoned tick is noticed', () => {
  const machine = emittingMachines.player.provide({ actions: { restorePads: () => {} } });
  expect([...misremembered(machine)]).not.toEqual([]);
});

test('a deal of one task twice, a role too few and a lost target are noticed', () => {
  const dealTwice: typeof dealTasks = (...terms) =>
    mapSeats(dealTasks(...terms), (hand) => [...hand.slice(0, 1), ...hand.slice(0, -1)]);
  const drawFewer: typeof drawRoles = (seats, impostors, chance) =>
    drawRoles(seats, impostors - 1, chance);
  const loseTarget = (bid: Bid): Bid =>
    bid.type === 'reply' ? { ...bid, reply: { ...bid.reply, target: 'blue' } } : bid;
  expect([...TASK_LAW.misdealt(dealTwice)]).not.toEqual([]);
  expect([...ROLE_LAW.misdrawn(drawFewer)]).not.toEqual([]);
  expect([...KEEPING_LAW.miswritten(loseTarget)]).not.toEqual([]);
});
