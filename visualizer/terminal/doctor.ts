import type { ExamShares } from '../../analysis/models/exam.ts';
import type { ModelProbe } from '../../analysis/models/modelProbe.ts';
import { formatCount, formatMs, pluralize } from '../../machines/text.ts';
import { formatShare } from '../text.ts';

export function describeProbe(
  probe: ModelProbe,
): readonly (readonly [name: string, text: string])[] {
  const { capabilities, coldMs, loadMs, pace, together, context, neededContext, play } = probe;
  const { tokensPerSecond: alone, tokensPerSecondTogether: all } = pace;
  const speed =
    alone === null || all === null
      ? 'not known: the endpoint counts no tokens'
      : `${alone.toFixed(1)} tokens a second alone, ${all.toFixed(1)} by all together`;
  const length =
    context === null ? 'not said' : `${formatCount(context.tokens)} tokens (${context.source})`;
  const most = pace.slots === together ? ' or more' : '';
  return [
    ['asked as', describeCapabilities(capabilities)],
    ['thinking', capabilities.thinks ? 'yes' : 'none seen'],
    [
      'loading',
      loadMs < LEAST_LOAD_MS
        ? `none: the first answer came after ${formatMs(coldMs)}`
        : `${formatMs(loadMs)} of ${formatMs(coldMs)} until the first answer`,
    ],
    [
      'latency',
      `${formatMs(pace.aloneMs)} alone; ${together} at once ${formatMs(pace.medianMs)} (median), ${formatMs(pace.slowestMs)} (slowest)`,
    ],
    ['speed', speed],
    [
      'at once',
      `${pace.slots}${most} of ${together}, ${pace.speedup.toFixed(1)} times as fast as one by one`,
    ],
    ['context', `${length}; a game of eight needs about ${formatCount(neededContext)}`],
    ['says', play.example === null ? 'nothing' : JSON.stringify(play.example)],
    [
      'play',
      `${pluralize(play.messages, 'message')}, ${play.copied} copied from the prompt, ${play.repeated} repeated; ${pluralize(play.votes, 'vote')}, ${play.illegalVotes} illegal`,
    ],
  ];
}

export function renderExam(shares: ExamShares): string {
  return Object.entries(shares)
    .map(([name, { cases, interval }]) => {
      return `  ${name.padEnd(EXAM_WIDTH)}${interval === null ? '–' : formatShare(interval, cases)}`;
    })
    .join('\n');
}

const EXAM_WIDTH = 16;

/** A first answer that is slower by less than this needed no loading. */
const LEAST_LOAD_MS = 1_000;

export function describeCapabilities(capabilities: ModelProbe['capabilities']): string {
  const { modes, system, tokenName, dropped, isBare, streaming, room } = capabilities;
  return [
    modes[0] ?? '',
    ...(room === 1 ? [] : [`${room} times the usual room`]),
    ...(system === 'merged' ? ['no system message'] : []),
    ...(streaming === 'as-wished' ? [] : [`${streaming} as a stream`]),
    ...(tokenName === null ? ['no limit of tokens'] : []),
    ...(isBare ? ['only required fields'] : []),
    ...(dropped.length === 0 ? [] : [`without ${dropped.join(', ')}`]),
  ].join(', ');
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "3 hours ago". A clock that was set back makes nothing younger than now. */
export function describeAge(ms: number): string {
  if (ms < MINUTE_MS) return 'just now';
  const [unit, name] =
    ms < HOUR_MS ? [MINUTE_MS, 'minute'] : ms < DAY_MS ? [HOUR_MS, 'hour'] : [DAY_MS, 'day'];
  return `${pluralize(Math.floor(ms / unit), name)} ago`;
}
