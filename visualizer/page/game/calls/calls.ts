import { computed, signal } from '@preact/signals';
import { type PlayerCall, readCalls } from '../../../../machines/journal/calls.ts';
import type { SeenLine, SeenOf } from '../../../../machines/journal/lens.ts';
import type { Colour } from '../../../../machines/types.ts';
import { jumpTo } from '../state/navigation.ts';
import { listSeenLines, moment, story } from '../state/session.ts';
import { type CallTotals, sumCalls } from './recordedCalls.ts';

type AnsweredLine = SeenOf<'tick.closed' | 'turn.closed' | 'round.closed'>;
type RecordedBid = NonNullable<SeenOf<'tick.closed'>['bids']>[number];

type CollectedCalls = ReturnType<typeof collectCalls>;
export type PlayerDecision = Readonly<ReturnType<CollectedCalls['decisions']>[number]>;

/** A line with decisions, its place among the lines, and its meeting, from 1. */
export type AnsweredMoment = Readonly<{ line: AnsweredLine; at: number; meeting: number }>;

function collectCalls(lines: readonly SeenLine[]) {
  const askings: AnsweredMoment[] = [];
  const all: PlayerCall[] = [];
  const byMoment = new Map<string, PlayerCall[]>();
  let called = 0;
  for (const [at, line] of lines.entries()) {
    if (line.type === 'meeting.called') called += 1;
    const meeting = Math.max(1, called);
    for (const call of readCalls([line])) {
      all.push(call);
      const key = formatKey(classify(call.requestKind), call.index ?? 0, call.seat, meeting);
      byMoment.set(key, [...(byMoment.get(key) ?? []), call]);
    }
    if (isAnswered(line)) askings.push({ line, at, meeting });
  }
  const decisions = ({ line, meeting }: AnsweredMoment) =>
    listAnswers(line).map((answer) => {
      const { seat, received, parsed, notes = [], fault = '', text = '' } = answer;
      const calls = byMoment.get(formatKey(...locate(line), seat, meeting)) ?? [];
      return { seat, received, parsed, notes: notes.map((note) => note.text), fault, text, calls };
    });
  return { askings, calls: all, decisions };
}

type DecisionKind = 'ship' | 'ghosts' | 'table' | 'beliefs';

function classify(requestKind: string): DecisionKind {
  if (requestKind === 'action') return 'ship';
  if (requestKind === 'belief') return 'beliefs';
  return requestKind === 'ghost' ? 'ghosts' : 'table';
}

/** Ticks and turns are counted within a meeting, rounds within a game. */
function formatKey(kind: DecisionKind, index: number, seat: Colour, meeting: number): string {
  return `${kind} ${seat} ${kind === 'ship' ? 0 : meeting} ${index}`;
}

function locate(line: AnsweredLine): readonly [DecisionKind, number] {
  if (line.type === 'round.closed') return ['ship', line.round ?? 0];
  return line.type === 'turn.closed' ? ['ghosts', line.turn ?? 0] : ['table', line.tick ?? 0];
}

function isAnswered(line: SeenLine): line is AnsweredLine {
  const { type } = line;
  const isClosing = type === 'tick.closed' || type === 'turn.closed' || type === 'round.closed';
  return isClosing && listAnswers(line).length > 0;
}

type RecordedAnswer = Pick<RecordedBid, 'seat' | 'received' | 'notes' | 'fault' | 'text'> & {
  readonly parsed?: unknown;
};

function listAnswers(line: AnsweredLine): readonly RecordedAnswer[] {
  return (line.type === 'round.closed' ? line.orders : line.bids) ?? [];
}

export function sumBySeat(
  calls: readonly PlayerCall[],
): readonly (readonly [Colour, CallTotals])[] {
  const bySeat = Map.groupBy(calls, ({ seat }) => seat);
  return [...bySeat].map(([seat, own]) => [seat, sumCalls(own)]);
}

export const areCallsOpen = signal(false);

export const allCalls = computed(() => collectCalls(listSeenLines()).calls);

/** Made only while the drawer is open, since it goes through the whole journal. */
export const callLog = computed(() => collectCalls(areCallsOpen.value ? listSeenLines() : []));

/** The last decision up to the shown moment, or -1. Lines of both channels are compared in arrival order. */
export const answeredIndex = computed(() => {
  const line = moment.value?.line;
  if (line === undefined || !areCallsOpen.value) return -1;
  const here = listSeenLines().indexOf(line);
  return callLog.value.askings.findLastIndex(({ at }) => at <= here);
});

export function jumpToAnswered(direction: 1 | -1): void {
  const { askings } = callLog.value;
  for (let at = answeredIndex.value + direction; at >= 0 && at < askings.length; at += direction) {
    const target = askings[at]?.line;
    const step = story.value.moments.findIndex(({ line }) => line === target);
    if (step >= 0) {
      jumpTo(step);
      return;
    }
  }
}
