/** Accounts in a table: leaks, attempts, what did not count or had to be mended, and what minds have cost. */
import { type Account, all, type Counts } from '../../analysis/statistics/account.ts';
import { clean } from '../../visualizer/terminal/clean.ts';
import { table } from './table.ts';

/** Whose account it is. */
export type Row = { readonly name: string; readonly account: Account };

const TITLES = ['leaks', 'attempts', 'bad votes', 'corrected', 'blank', 'faults'];
const MODEL_TITLES = ['requests', 'failed', 'plainer', 'mended', 'tokens in', 'out', 'dollars'];

/** The table, what it consists of by code and kind, and what the columns mean. */
export function accountText(title: string, rows: readonly Row[]): readonly string[] {
  const hasModels = rows.some(({ account }) => account.requests > 0);
  const titles = [title, ...TITLES, ...(hasModels ? MODEL_TITLES : [])];
  const cells = rows.map(({ name, account }) => [
    name,
    ...talkOf(account),
    ...(hasModels ? costOf(account) : []),
  ]);
  const details = rows.flatMap(({ name, account }) => {
    const parts = detailsOf(account);
    return parts.length === 0 ? [] : [`  ${name}: ${parts.join(' · ')}`];
  });
  return [
    ...table([titles, ...cells]),
    ...(details.length === 0 ? [] : ['', ...details]),
    '',
    'leaks: messages that give away a thought or a role · attempts: messages to other machines, and those heard',
    'bad votes: not counted · corrected: something was set right or ignored, of the replies that came · blank: of the bids',
    ...(hasModels
      ? [
          'failed: requests that were no answer · plainer: asked for in a plainer way than a JSON schema · mended: answers that were no proper JSON · tokens: as counted by the endpoint',
        ]
      : []),
  ];
}

function talkOf(account: Account): readonly string[] {
  const { leaks, attempts, attemptsHeard, repairs, replies, blank, bids } = account;
  return [
    String(leaks),
    attempts === 0 ? '0' : `${attempts} (${attemptsHeard})`,
    String(all(account.invalidVotes)),
    `${repairs} of ${replies}`,
    `${blank} of ${bids}`,
    String(all(account.faults)),
  ];
}

function costOf(account: Account): readonly string[] {
  const { requests, troubles, plainer, mended, promptTokens, cachedTokens, completionTokens } =
    account;
  const cached = cachedTokens === 0 ? '' : ` (${count(cachedTokens)} cached)`;
  const cells = [count(requests), count(all(troubles)), count(plainer), count(mended)];
  return [...cells, `${count(promptTokens)}${cached}`, count(completionTokens), money(account)];
}

function money({ requests, unpriced, dollars }: Account): string {
  if (requests === 0) return '';
  if (unpriced === requests) return '?';
  return `${dollars.toFixed(4)}${unpriced === 0 ? '' : ' + ?'}`;
}

function detailsOf(account: Account): readonly string[] {
  const { reveals, injections, invalidVotes, faults, troubles } = account;
  const named = { leaks: reveals, attempts: injections, 'bad votes': invalidVotes, faults };
  return Object.entries({ ...named, failed: troubles }).flatMap(([what, counts]) =>
    Object.keys(counts).length === 0 ? [] : [`${what}: ${listOf(counts)}`],
  );
}

/** "endpoint/timeout 3, mind/late 1", the most frequent first. Codes come from files. */
function listOf(counts: Counts): string {
  return Object.entries(counts)
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .map(([code, times]) => `${clean(code)} ${times}`)
    .join(', ');
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
