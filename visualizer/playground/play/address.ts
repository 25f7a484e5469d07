/** The address of a game: "?match=skeld&seed=42&kill_cooldown=10&fork=2:3~red~say~It was me." */
import {
  GAME_OPTIONS,
  MEETING_OPTIONS,
  type OptionRow,
} from '../../../machines/rules/optionRows.ts';
import { isRecord } from '../../../machines/text.ts';
import { COLOURS, TEMPERAMENTS } from '../../../machines/types.ts';
import type { ForkChange } from '../protocol.ts';

/** Options by their file names; grouped options are "weights.silence.cap". */
export type ChangedOptions = Readonly<Record<string, string>>;

export type SiteAddress = {
  readonly view: 'play' | 'prove';
  readonly match: string | null;
  readonly seed: number | null;
  readonly options: ChangedOptions;
  readonly forks: readonly ForkChange[];
  readonly mistake: string | null;
  readonly unknown: readonly (readonly [name: string, text: string])[];
};

export type OptionField = Readonly<{ name: string; row: Exclude<OptionRow, { type: 'group' }> }>;

function listFields(rows: readonly OptionRow[], before = ''): readonly OptionField[] {
  return rows.flatMap((row) => {
    const name = `${before}${row.yaml}`;
    if (row.type === 'group') return listFields(row.rows, `${name}.`);
    return row.type === 'number' && row.isPace === true ? [] : [{ name, row }];
  });
}

export const SHIP_FIELDS = listFields(GAME_OPTIONS);
export const MEETING_FIELDS = listFields(MEETING_OPTIONS);
const FIELDS = new Map([...SHIP_FIELDS, ...MEETING_FIELDS].map((field) => [field.name, field]));

export const NEVER = 'never';

export function toFileOptions(options: ChangedOptions): Readonly<Record<string, unknown>> {
  const file: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(options)) {
    const field = FIELDS.get(name);
    if (field === undefined) continue;
    let at = file;
    const path = name.split('.');
    for (const group of path.slice(0, -1)) {
      const inner = at[group];
      const next: Record<string, unknown> = isRecord(inner) ? { ...inner } : {};
      at[group] = next;
      at = next;
    }
    at[path.at(-1) ?? name] = readValue(field, text);
  }
  return file;
}

function readValue({ row }: OptionField, text: string): unknown {
  if (row.type === 'number') return text === NEVER ? null : Number(text);
  return row.type === 'switch' ? text === 'on' : text;
}

export function parseSiteAddress(search: string, matches: readonly string[]): SiteAddress {
  const fields = new URLSearchParams(search);
  const seed = fields.get('seed') ?? '';
  const isKnown = ([name, text]: readonly [string, string]) => {
    if (name === 'view') return text === 'prove' || text === 'play';
    if (name === 'match') return matches.includes(text);
    if (name === 'seed') return SEED.test(text);
    if (name === 'fork') return parseFork(text) !== null;
    return name === 'broken' || FIELDS.has(name) || ADDED.test(name);
  };
  return {
    view: fields.get('view') === 'prove' ? 'prove' : 'play',
    match: fields.get('match'),
    seed: SEED.test(seed) ? Number(seed) : null,
    options: Object.fromEntries([...fields].filter(([name]) => FIELDS.has(name))),
    forks: fields.getAll('fork').flatMap((text) => parseFork(text) ?? []),
    mistake: fields.get('broken'),
    unknown: [...fields].filter((field) => !isKnown(field)),
  };
}

const SEED = /^\d{1,9}$/;

const ADDED = /^utm_|clid$|^ref$/;

export function formatSiteAddress(address: SiteAddress): string {
  const fields = new URLSearchParams();
  if (address.view === 'prove') fields.set('view', 'prove');
  if (address.match !== null) fields.set('match', address.match);
  if (address.seed !== null) fields.set('seed', `${address.seed}`);
  for (const [name, text] of Object.entries(address.options)) fields.set(name, text);
  for (const fork of address.forks) fields.append('fork', formatFork(fork));
  if (address.mistake !== null) fields.set('broken', address.mistake);
  for (const [name, text] of address.unknown) fields.append(name, text);
  const text = fields.toString().replaceAll('%3A', ':').replaceAll('%7E', '~');
  return text === '' ? '?' : `?${text}`;
}

function formatFork({ at, player, does }: ForkChange): string {
  switch (does.type) {
    case 'say':
      return `${at}~${player}~say~${does.words}`;
    case 'turn':
      return `${at}~${player}~turn~${does.temperament}`;
    case 'fall-silent':
      return `${at}~${player}~fall-silent`;
  }
}

/** Words may contain any character, including the separator. */
function parseFork(text: string): ForkChange | null {
  const [at = '', colour, type, ...rest] = text.split('~');
  const player = COLOURS.find((one) => one === colour);
  if (player === undefined) return null;
  if (type === 'say') return { at, player, does: { type, words: rest.join('~') } };
  if (type === 'fall-silent') return { at, player, does: { type } };
  const temperament = TEMPERAMENTS.find((one) => one === rest[0]);
  if (type !== 'turn' || temperament === undefined) return null;
  return { at, player, does: { type, temperament } };
}
