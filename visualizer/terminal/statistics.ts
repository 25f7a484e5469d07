import { type MeasuredKind, reportReader } from '../../analysis/claims/accuracy.ts';
import { type Account, type CodeCounts, sumCounts } from '../../analysis/counts/accounts.ts';
import { type Rate, rate } from '../../analysis/counts/numeric.ts';
import type {
  GameStats,
  PlayerStats,
  SeatStats,
  SingleMeetingStats,
} from '../../analysis/counts/statistics.ts';
import { describeResult, type RoleTotals, type StatsTotals } from '../../analysis/counts/totals.ts';
import { ASSUMED_MS, FORECAST_TABLES, type Forecasts } from '../../analysis/models/forecast.ts';
import { SCORE_TERMS } from '../../machines/rules/scoreTerms.ts';
import { capitalize, formatCount, formatPercent, pluralize } from '../../machines/text.ts';
import { CLAIM_TYPES, type ClaimType } from '../../prompts/claims/claims.ts';
import { formatShare } from '../text.ts';
import { clean } from './layout.ts';
import {
  alignColumns,
  type ColumnWorth,
  fitColumns,
  fitTables,
  foldTable,
  type TableColumn,
  wrapLines,
} from './table.ts';

type NamedAccount = Account & { readonly name: string };
type AccountColumn = TableColumn<NamedAccount>;

/** Failures and cost are worth most, automatic repairs least. */
const TALK: readonly AccountColumn[] = [
  ['leaks', 10, ({ leaks }) => String(leaks)],
  ['attempts', 4, (one) => (one.attempts === 0 ? '0' : `${one.attempts} (${one.attemptsHeard})`)],
  ['bad votes', 8, ({ invalidVotes }) => String(sumCounts(invalidVotes))],
  ['corrected', 3, ({ repairs, replies }) => `${repairs} of ${replies}`],
  ['blank', 2, ({ blank, bids }) => `${blank} of ${bids}`],
  ['faults', 11, ({ faults }) => String(sumCounts(faults))],
];

const COST: readonly AccountColumn[] = [
  ['requests', 7, ({ requests }) => formatCount(requests)],
  ['failed', 6, ({ failures }) => formatCount(sumCounts(failures))],
  ['plainer', 1, ({ plainer }) => formatCount(plainer)],
  ['repaired', 1, ({ repaired }) => formatCount(repaired)],
  ['tokens in', 9, formatPrompt],
  ['out', 5, ({ completionTokens }) => formatCount(completionTokens)],
  ['dollars', 12, formatDollars],
];

function renderAccounts(
  title: string,
  accounts: readonly NamedAccount[],
  width: number,
): readonly string[] {
  const hasModels = accounts.some(({ requests }) => requests > 0);
  const named: AccountColumn = [title, 'always', ({ name }) => name];
  const details = accounts.flatMap((account) => {
    const parts = describeCodes(account);
    return parts.length === 0 ? [] : [`  ${account.name}: ${parts.join(' · ')}`];
  });
  const meanings = [
    'leaks: messages that give away a thought or a role · attempts: messages to other machines, and those heard',
    'bad votes: not counted · corrected: something was set right or ignored, of the replies that came · blank: of the bids',
    ...(hasModels
      ? [
          'failed: requests that were no answer · plainer: asked for in a plainer way than a JSON schema · repaired: answers that were no proper JSON · tokens: as counted by the endpoint',
        ]
      : []),
  ];
  return [
    ...fitColumns([named, ...TALK, ...(hasModels ? COST : [])], accounts, { width }),
    ...(details.length === 0 ? [] : ['', ...wrapLines(details, width)]),
    '',
    ...wrapLines(meanings, width),
  ];
}

function accountsOf(players: readonly Pick<SeatStats, 'seat' | 'account'>[]) {
  return players.map(({ seat, account }) => ({ ...account, name: capitalize(seat) }));
}

function formatPrompt({ promptTokens, cachedTokens }: Account): string {
  const cached = cachedTokens === 0 ? '' : ` (${formatCount(cachedTokens)} cached)`;
  return `${formatCount(promptTokens)}${cached}`;
}

function formatDollars({ requests, unpriced, dollars }: Account): string {
  if (requests === 0) return '';
  if (unpriced > 0 && dollars === 0) return '?';
  return `${dollars.toFixed(4)}${unpriced === 0 ? '' : ' + ?'}`;
}

function describeCodes(account: Account): readonly string[] {
  const { reveals, injections, invalidVotes, faults, failures } = account;
  const named = { leaks: reveals, attempts: injections, 'bad votes': invalidVotes, faults };
  return Object.entries({ ...named, failed: failures }).flatMap(([what, counts]) =>
    Object.keys(counts).length === 0 ? [] : [`${what}: ${listCodes(counts)}`],
  );
}

/** "endpoint/timeout 3, mind/late 1", the most frequent first. Codes come from files. */
export function listCodes(counts: CodeCounts): string {
  return Object.entries(counts)
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .map(([code, times]) => `${clean(code)} ${times}`)
    .join(', ');
}

export function renderMeetingStats(meeting: SingleMeetingStats, width = Infinity): string {
  const { seed, outcome, ejected, ejectedRole, ticks, messages, players } = meeting;
  const who = ejected === null ? '' : ` ${capitalize(ejected)} (${ejectedRole})`;
  const rows = players.map((one) => {
    return [nameSeat(one), one.role, String(one.messages), votesCell(one), String(one.faults)];
  });
  return [
    `seed ${seed}: ${outcome}${who}, ${pluralize(ticks, 'tick')}, ${pluralize(messages, 'message')}`,
    '',
    ...foldTable([['player', 'role', 'said', 'votes', 'faults'], ...rows], width),
    '',
    'votes: against impostors, against crew, skipped, missed',
    '',
    ...alignColumns(floorRows(meeting.floor)),
    '',
    ...renderAccounts('player', accountsOf(players), width),
  ].join('\n');
}

type CountedSeat = Pick<SeatStats, 'seat' | 'persona' | 'votes'>;

const nameSeat = ({ seat, persona }: CountedSeat) =>
  clean(persona === '' ? capitalize(seat) : `${capitalize(seat)}, ${persona}`);
const votesCell = ({ votes }: CountedSeat) =>
  [votes.impostor, votes.crewmate, votes.skip, votes.missed].join(' / ');

/** The table below repeats the faults. Model, result and votes are worth most. */
const GAME_COLUMNS: readonly TableColumn<PlayerStats>[] = [
  ['player', 'always', nameSeat],
  ['role', 'always', ({ role }) => role],
  ['fate', 'always', ({ fate, until }) => (until === null ? fate : `${fate}, round ${until}`)],
  ['said', 5, formatSaid],
  ['votes', 6, votesCell],
  ['kills', 4, ({ kills }) => String(kills)],
  ['tasks', 3, ({ role, tasks }) => (role === 'impostor' ? '' : `${tasks.done} (${tasks.steps})`)],
  ['claims', 2, ({ claims: all }) => [all.true, all.false, all.unverifiable].join(' / ')],
  ['faults', 1, ({ faults }) => String(faults)],
];

function formatSaid({ messages, heard }: PlayerStats): string {
  return `${messages}${heard === 0 ? '' : ` (${Math.round((100 * messages) / heard)} %)`}`;
}

export function renderGameStats(game: GameStats, width = Infinity): string {
  const { seed, rounds, meetings, players } = game;
  const ejected = meetings.flatMap(({ ejected: who, ejectedRole }) =>
    who === null ? [] : [`${capitalize(who)} (${ejectedRole})`],
  );
  const meanings = [
    'said: messages, and their share where one was alive · votes: against impostors, against crew, skipped, missed',
    'tasks: finished, steps · claims of place and time: true, false, unverifiable',
    `reader of claims: ${describeAccuracy('place')} on ${describeCorpus()} (docs/deduction.md)`,
  ];
  return [
    `seed ${seed}: ${describeResult(game)}, ${pluralize(rounds, 'round')}, ${pluralize(meetings.length, 'meeting')}`,
    `ejected: ${ejected.length === 0 ? 'nobody' : ejected.join(', ')}`,
    '',
    ...fitColumns(GAME_COLUMNS, players, { width }),
    '',
    ...alignColumns(floorRows(game.floor)),
    '',
    ...wrapLines(meanings, width),
    '',
    ...renderAccounts('player', accountsOf(players), width),
  ].join('\n');
}

const CLAIM_NAMES: Readonly<Record<ClaimType, string>> = {
  place: 'claims of place',
  company: 'claims of company',
  task: 'claims of tasks',
  accusation: 'accusations',
  defence: 'defences',
  vent: 'claims of venting',
  act: 'claims of other acts',
};

function describeCorpus(): string {
  const { corpus, utterances } = reportReader();
  return `the held-out half of corpus ${corpus}, ${utterances} utterances`;
}

/** "precision 97 %, recall 88 %": the share of found claims that are there, and of those there that are found. */
function describeAccuracy(kind: MeasuredKind): string {
  const { precision, recall } = reportReader().accuracy[kind];
  const share = ({ interval }: Rate) =>
    interval === null ? 'unknown' : formatPercent(interval.share);
  return `precision ${share(precision)}, recall ${share(recall)}`;
}

export function renderTotals(totals: StatsTotals, width = Infinity): string {
  const { games, wins, reasons, rounds, meetings, calls, ejections, rightEjections } = totals;
  const { account, roles, singles } = totals;
  const { crewmate, impostor } = account;
  const sides = [
    { ...crewmate, name: 'crewmates' },
    { ...impostor, name: 'impostors' },
  ];
  const mean = (sum: number) => (games === 0 ? '0' : (sum / games).toFixed(1));
  const meanings = [
    `Claims are what the reader finds in messages; precision and recall on ${describeCorpus()}: docs/deduction.md.`,
    'Shares with their 95 % intervals (Wilson) and n. Mirrored games count as such in games won; all other cases count as independent.',
  ];
  return [
    `${pluralize(games, 'game')}, ${mean(rounds)} rounds and ${mean(meetings)} meetings each`,
    '',
    ...alignColumns([
      ['games won by the crew', ...rateCells(wins.crew)],
      ['games won by impostors', ...rateCells(wins.impostors)],
      ...reasons.map(([how, times]) => [`  ${how}`, String(times)]),
      ['meetings', String(meetings)],
      ['  for a body', String(calls.body)],
      ['  by the button', String(calls.button)],
      ['meetings that ejected', ...rateCells(ejections)],
      ['impostors among the ejected', ...rateCells(rightEjections)],
      ...floorRows(totals.floor),
    ]),
    '',
    ...renderRoles(roles, width),
    '',
    ...renderAccounts('', sides, width),
    ...(singles === 0
      ? []
      : [`In this table only: ${pluralize(singles, 'meeting')} without a game.`]),
    '',
    ...wrapLines(meanings, width),
  ].join('\n');
}

/** How good the reader of claims is changes with no game. */
const ROLES_WORTH: ColumnWorth = ['always', 'always', 'always', 1];

function renderRoles(
  { crewmate, impostor }: StatsTotals['roles'],
  width: number,
): readonly string[] {
  const write = (value: Rate | number) =>
    typeof value === 'number' ? String(value) : rateCells(value).join('  ');
  const row = (title: string, of: (role: RoleTotals) => Rate | number) => [
    title,
    write(of(crewmate)),
    write(of(impostor)),
  ];
  const rows = [
    ['', 'crewmates', 'impostors', 'reader of claims'],
    row('seats', ({ players }) => players),
    row('seats that survived', ({ survived }) => survived),
    row('messages of all', ({ speaking }) => speaking),
    row('meetings unheard', ({ unheard }) => unheard),
    row('votes on impostors', ({ accuracy }) => accuracy),
    row('votes to skip', ({ skipped }) => skipped),
    row('votes missed', ({ missed }) => missed),
    [...row('claims not true', ({ falsehoods }) => falsehoods), describeAccuracy('place')],
    row('claims unverifiable', ({ unverifiable }) => unverifiable),
    ...CLAIM_TYPES.map((type) => [
      ...row(CLAIM_NAMES[type], ({ assertions }) => assertions[type]),
      describeAccuracy(type),
    ]),
    row('kills', ({ kills }) => kills),
    row('tasks finished', ({ tasksDone }) => tasksDone),
    row('faults', ({ faults }) => faults),
    row('intents refused', ({ refused }) => refused),
  ];
  return fitTables([rows], { width, worth: ROLES_WORTH });
}

/** Who won the floor, and which terms decided: without one of them another player had won. */
function floorRows({ ticks = 0, ...won }: GameStats['floor']): readonly (readonly string[])[] {
  const row = (title: string, name: string, cases: number) => {
    return [title, ...rateCells(rate(won[name] ?? 0, cases))];
  };
  /** Of the ticks in which one player alone was first. */
  const first = (title: string, name: string) =>
    row(title, name, (won[name] ?? 0) + (won[`not_${name}`] ?? 0));
  return [
    ['ticks with two bids or more', String(ticks)],
    first('  won by the one silent longest', 'longest_silent'),
    first('  won by the one highest desire', 'highest_desire'),
    ...SCORE_TERMS.map(({ yaml, label }) => row(`  decided by ${label}`, yaml, ticks)),
  ];
}

function rateCells({ hits, cases, interval }: Rate): readonly string[] {
  return [String(hits), interval === null ? '' : formatShare(interval, cases)];
}

const FORECAST_TITLES = ['', 'requests', 'tokens in', 'cached', 'tokens out', 'dollars', 'minutes'];

export function renderForecasts(forecasts: Forecasts, what: string, width: number): string {
  const { unpriced, unmeasured, usual } = forecasts;
  const rows = FORECAST_TABLES.map((table) => {
    const { calls, prompt, cached, completion, dollars, dollarsCached, minutes } = forecasts[table];
    const costs = [dollarsCached, dollars].map((one) => one?.toFixed(one < 1 ? 4 : 2));
    const cost = dollars === null ? '?' : costs.join(' to ');
    const counts = [calls, prompt, cached, completion].map(formatCount);
    return [table, ...counts, cost, String(Math.ceil(minutes))];
  });
  const names = (models: readonly string[]) => clean(models.join(', '));
  const lines = [
    `Requests to models for ${what}${usual.beliefs === 0 ? '' : `, ${formatCount(usual.beliefs)} of them for beliefs`}. usual: they play like the offline minds. passive: they do and say nothing. talkative: nobody votes before the fifth "wrap it up".`,
    'cached: beginnings of at least 1,024 tokens, in steps of 128, with the schema in front of the prompt. Tokens out and dollars: at most; dollars with the price of cached tokens, and without any cache.',
    unmeasured.length === 0
      ? 'Minutes: at the pace that "doctor" has measured.'
      : `Minutes: ${ASSUMED_MS / 1000} s an answer is assumed; "doctor" measures the pace of ${names(unmeasured)}.`,
    ...(unpriced.length === 0 ? [] : [`The price of ${names(unpriced)} is not known (--prices).`]),
    'A budget (--max-calls, --max-tokens, --max-cost) ends a game that it can no longer pay.',
  ];
  const table = foldTable([FORECAST_TITLES, ...rows], width);
  return [...table, '', ...wrapLines(lines, width)].join('\n');
}
