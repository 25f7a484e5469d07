import { expect, test } from 'vitest';
import { REPLY_READERS } from '../../actors/engine/consult.ts';
import { isRecord } from '../../machines/text.ts';
import { askListed } from '../../proofs/checks/listedChecks.ts';
import { emittingMachines } from '../../proofs/models/meetingSystem.ts';
import { ANSWER_LAWS } from '../../proofs/properties/answers.ts';
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
