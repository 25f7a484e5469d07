import { expect, test } from 'vitest';
import { assign } from 'xstate';
import { BeliefInquiry } from '../../actors/engine/beliefs.ts';
import { REPLY_READERS } from '../../actors/engine/consult.ts';
import type { PlayerContext } from '../../machines/charts/player.ts';
import { seeThrough } from '../../machines/journal/lens.ts';
import { countTurned } from '../../machines/journal/projection.ts';
import type { ToPlayer } from '../../machines/messages.ts';
import { rollDice } from '../../machines/rules/dice.ts';
import { capTokens } from '../../machines/rules/floor.ts';
import { rounds } from '../../machines/rules/options.ts';
import { consolidatePads, PAGE_LENGTH, updatePads } from '../../machines/rules/pads.ts';
import { mapSeats } from '../../machines/rules/seats.ts';
import type { Order } from '../../machines/rules/ship/orders.ts';
import { addRoundsToMemory } from '../../machines/rules/ship/sight.ts';
import { dealTasks } from '../../machines/rules/ship/tasks.ts';
import { dueAfter } from '../../machines/rules/tick.ts';
import { drawRoles } from '../../machines/setup/prepare.ts';
import { isRecord } from '../../machines/text.ts';
import type { Bid, Colour } from '../../machines/types.ts';
import { askListed } from '../../proofs/checks/listedChecks.ts';
import { ENGINE_LAW } from '../../proofs/checks/watchedMatches.ts';
import { emittingMachines } from '../../proofs/models/meetingSystem.ts';
import { ANSWER_LAWS, ANSWER_READERS, KEEPING_LAW } from '../../proofs/properties/answers.ts';
import { ROLE_LAW, TASK_LAW } from '../../proofs/properties/deals.ts';
import {
  CUT_LAW,
  type DrawPlace,
  LENS_LAW,
  STREAM_LAW,
  TIME_LAW,
} from '../../proofs/properties/limits.ts';
import { PLAYER_LAW } from '../../proofs/properties/player.ts';
import { COUNT_LAW, DAMAGE_LAW } from '../../proofs/properties/record.ts';

test('all listed answers and lives of a player are as the laws say', async () => {
  const { verdicts } = await askListed({ now: () => 0 });
  expect(verdicts.filter(({ verdict }) => verdict.type !== 'proved')).toEqual([]);
  expect(verdicts).toHaveLength(13);
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
  expect([...replies.find({ ...ANSWER_READERS, readReply })]).not.toEqual([]);
  expect([...orders.find({ ...ANSWER_READERS, readOrder })]).not.toEqual([]);
});

test('a reader that ignores a doubt, takes a part beside words, or cuts a number is noticed', () => {
  const [replies, orders] = ANSWER_LAWS;
  const trust: typeof REPLY_READERS.readOrder = (received, view) => {
    const action = isRecord(received) ? received['action'] : null;
    const said = typeof action === 'string' ? action.replace(/ \(.*\)$/, '') : action;
    return REPLY_READERS.readOrder(isRecord(received) ? { ...received, action: said } : said, view);
  };
  const findLast: typeof ANSWER_READERS.readSaid = (said, ...rest) =>
    ANSWER_READERS.readSaid(said.slice(said.lastIndexOf('{')), ...rest);
  const cut: typeof REPLY_READERS.readReply = (received) => {
    const reading = REPLY_READERS.readReply(received);
    if (!reading.ok) return reading;
    const message = reading.reply.message.replaceAll(/(.)\1{3,}/gu, '$1$1$1');
    return { ...reading, reply: { ...reading.reply, message } };
  };
  expect([...orders.find({ ...ANSWER_READERS, readOrder: trust })]).not.toEqual([]);
  expect([...replies.find({ ...ANSWER_READERS, readSaid: findLast })]).not.toEqual([]);
  expect([...replies.find({ ...ANSWER_READERS, readReply: cut })]).not.toEqual([]);
});

test('a player whose full memory keeps nothing of old sights is noticed', () => {
  const { player } = emittingMachines;
  const forget = assign<PlayerContext, ToPlayer, undefined, ToPlayer, never>(
    ({ context, event }) => {
      if (event.type !== 'rounds.seen') return {};
      const { memory, stretches, meetings } = context;
      const all = [...stretches];
      all[meetings] = [...(all[meetings] ?? []), ...event.rounds];
      const deeds = event.rounds.flatMap(({ round, deeds: done = [] }) =>
        done.map((deed) => ({ ...deed, round })),
      );
      return {
        memory: addRoundsToMemory(memory, event.rounds),
        deeds: [...context.deeds, ...deeds],
        stretches: all,
      };
    },
  );
  const machine = player.provide({ actions: { rememberRounds: forget } });
  const found = [...PLAYER_LAW.find(machine)];
  expect(found).toHaveLength(1);
  expect(found.flat().length).toBeGreaterThan(3);
});

test('a player that keeps the pages of an abandoned tick is noticed', () => {
  const machine = emittingMachines.player.provide({ actions: { restorePads: () => {} } });
  expect([...PLAYER_LAW.find(machine)]).not.toEqual([]);
});

test('a deal of one task twice, a role too few and a lost target are noticed', () => {
  const dealTwice: typeof dealTasks = (...terms) =>
    mapSeats(dealTasks(...terms), (hand) => [...hand.slice(0, 1), ...hand.slice(0, -1)]);
  const drawFewer: typeof drawRoles = (seats, impostors, chance) =>
    drawRoles(seats, impostors - 1, chance);
  const loseTarget = (bid: Bid | Order): Bid | Order =>
    bid.type === 'reply' ? { ...bid, reply: { ...bid.reply, target: 'blue' } } : bid;
  expect([...TASK_LAW.misdealt(dealTwice)]).not.toEqual([]);
  expect([...ROLE_LAW.misdrawn(drawFewer)]).not.toEqual([]);
  expect([...KEEPING_LAW.find(loseTarget)]).not.toEqual([]);
});

test('a reader that reports one damage twice or not at all is noticed', () => {
  const rows = ['a', 'b', 'c', 'd'].map((name) => {
    return `{"channel":"living","name":"${name}","hash":"${name}"}`;
  });
  const reported = (read: (text: string) => readonly number[]) =>
    [...DAMAGE_LAW.misreported(rows, read)].map(({ how }) => how);
  expect(reported(() => [])).toContain('another hash');
  expect(reported(() => [3, 4])).toContain('another hash');
  expect(reported(() => [3])).toContain('a clock');
});

test('a count in the order of the first ballots, and a count of void ballots, are noticed', () => {
  const countInOrder: typeof countTurned = (ballots) =>
    countTurned(ballots).toSorted((one, other) => {
      const first = (candidate: string) =>
        ballots.findIndex(({ ballot, isVoid }) => ballot === candidate && !isVoid);
      return other.votes - one.votes || first(one.candidate) - first(other.candidate);
    });
  const countAll: typeof countTurned = (ballots) =>
    countTurned(ballots.map((ballot) => ({ ...ballot, isVoid: false })));
  expect([...COUNT_LAW.miscounted(countInOrder)]).not.toEqual([]);
  expect([...COUNT_LAW.miscounted(countAll)]).not.toEqual([]);
});

test('an engine that asks no beliefs at the call of a second meeting, or sees no call, is noticed', async () => {
  class Forgetful extends BeliefInquiry {
    #ticks = 0;

    override noteFacts(...[facts, table]: Parameters<BeliefInquiry['noteFacts']>): void {
      const isFirst = this.#ticks === 0;
      this.#ticks += facts.filter(({ type }) => type === 'tick.closed').length;
      super.noteFacts(
        isFirst ? facts : facts.filter(({ type }) => type !== 'meeting.called'),
        table,
      );
    }
  }
  class Deaf extends BeliefInquiry {
    override noteRequest(): void {}
  }
  const found = async (Inquiry: typeof BeliefInquiry) => {
    const findings: object[] = [];
    for await (const finding of ENGINE_LAW.find(Inquiry)) findings.push(finding);
    return findings.length;
  };
  expect([await found(Forgetful), await found(Deaf)]).toEqual([1, 2]);
});

test('a time that is rounded, and a page or message without its right end, are noticed', () => {
  const dueRounded: typeof dueAfter = (options, passed) => {
    const { discussionTime, secondsPerTick } = options;
    const time = Math.round(discussionTime / secondsPerTick) * secondsPerTick;
    return dueAfter({ ...options, discussionTime: time }, passed);
  };
  const keepBeginning: typeof updatePads = (pads, updates) => {
    const { main = pads.main, meeting = pads.meeting } = updates;
    return { main: main.slice(0, PAGE_LENGTH), meeting: meeting.slice(0, PAGE_LENGTH) };
  };
  const keepEnd: typeof capTokens = (text, limit) => text.slice(-4 * limit);
  expect([...TIME_LAW.mistimed(dueRounded, rounds)]).not.toEqual([]);
  expect([...TIME_LAW.mistimed(dueAfter, (seconds) => Math.floor(seconds / 2.5))]).not.toEqual([]);
  expect([...CUT_LAW.miscut(keepBeginning, consolidatePads, capTokens)]).not.toEqual([]);
  expect([...CUT_LAW.miscut(updatePads, consolidatePads, keepEnd)]).not.toEqual([]);
});

test('dice of another stream, and a lens that shows every role of its own, are noticed', () => {
  const rollAt = (stream: 'table' | 'gallery') => (at: DrawPlace, seats: readonly Colour[]) =>
    rollDice({ ...at, stream }, seats);
  const showAlike: typeof seeThrough = (lines, lens) =>
    seeThrough(lines, lens).map((line) => {
      if (line.type !== 'match.opened' || !('call' in line.match)) return line;
      const seats = line.match.seats.map((seat) => ({ ...seat, role: 'crewmate' as const }));
      return { ...line, match: { ...line.match, seats } };
    });
  expect([...STREAM_LAW.misrolled([['gallery', rollAt('gallery')]])]).toEqual([]);
  expect([...STREAM_LAW.misrolled([['gallery', rollAt('table')]])]).not.toEqual([]);
  expect([...LENS_LAW.misshown(showAlike)]).not.toEqual([]);
});
