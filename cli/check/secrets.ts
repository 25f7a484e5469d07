/**
 * Secrets: whether ghosts, thoughts and roles can be told from what somebody sees, searched in a room of three living
 * players and a ghost, with the rules and options of the table and talk that is short enough.
 */
import { checkInterference, type PairStep } from 'glass-box-checker';
import type { MeetingOptions } from '../../machines/rules/options.ts';
import type { Cast, Company, Cue } from '../../proofs/models/ensemble.ts';
import { roomCast, shortTalk } from '../../proofs/models/room.ts';
import { ghostDuet, type RoomDuet, roleDuet, thoughtDuet } from '../../proofs/models/secrets.ts';
import { type Asked, BROKEN, type Searching, verdictOf } from './asked.ts';
import { companyOf } from './hearing.ts';
import { recited } from './recital.ts';
import type { Shown, Step } from './shown.ts';
import { deed } from './words.ts';

export const SECRETS = [
  'ghosts-do-not-interfere',
  'thoughts-do-not-interfere',
  'roles-do-not-interfere',
] as const;
export type Secret = (typeof SECRETS)[number];

/** Two rooms to be held against each other; mostly both are the same. */
type Rooms = {
  readonly casts: readonly [Cast, Cast];
  readonly companies: readonly [Company, Company];
};

/** Asks whether a secret is kept; `planted` puts something in the place of each company. */
export function secretKept(
  secret: Secret,
  options: MeetingOptions,
  { budget, now }: Searching,
  planted: (company: Company) => Company = (company) => company,
): Asked {
  const rooms = roomsFor(secret, shortTalk(options), planted);
  const begun = now();
  const duet = duetOf(secret, rooms, options.confirmEjects);
  const found = checkInterference(duet, { budget, now });
  const { name, sentence, pairs, steps, why, leak } = found;
  const aside = {
    about: `two meetings of three and a ghost, ${options.rules}`,
    states: pairs,
    transitions: steps,
    ended: found.verdict === 'incomplete' ? why : null,
    seconds: now() - begun,
    asked: [name],
  };
  const head = { name, sentence, kind: 'interference', expected: 'proved' } as const;
  if (leak === null) return { aside, verdict: { ...head, verdict: verdictOf(found) } };
  return { aside, verdict: { ...head, verdict: BROKEN, shown: shownOf(duet, rooms, leak) } };
}

function roomsFor(
  secret: Secret,
  options: MeetingOptions,
  planted: (company: Company) => Company,
): Rooms {
  const cast = (impostor: 'green' | 'blue') => roomCast({ impostors: [impostor], options });
  const left = cast('green');
  const right = secret === 'roles-do-not-interfere' ? cast('blue') : left;
  const company = planted(companyOf(left));
  return {
    casts: [left, right],
    companies: [company, right === left ? company : planted(companyOf(right))],
  };
}

function duetOf(secret: Secret, { companies }: Rooms, isConfirmed: boolean): RoomDuet {
  const [company] = companies;
  switch (secret) {
    case 'ghosts-do-not-interfere':
      return ghostDuet(company);
    case 'thoughts-do-not-interfere':
      return thoughtDuet(company);
    default:
      return roleDuet('red', companies, isConfirmed);
  }
}

type Leak = { readonly bars: readonly PairStep<Cue>[]; readonly at: string };

function shownOf({ name, sentence }: RoomDuet, rooms: Rooms, { bars, at }: Leak): Shown {
  // The first is the beginning, in which nothing has happened yet.
  const played = bars.slice(1);
  return {
    steps: played.map(stepOf),
    seen: played.map(({ seen }) => seen),
    note: `Here the two part: ${at}${differs(bars.at(-1), at)}`,
    journals: () =>
      (['left', 'right'] as const).map((side, index) => {
        const { [index]: company = rooms.companies[0] } = rooms.companies;
        const { [index]: cast = rooms.casts[0] } = rooms.casts;
        const cues = played.flatMap((bar) => bar[side] ?? []);
        const title = { name: `${name}: the ${index === 0 ? 'one' : 'other'}`, about: sentence };
        const { setting, ghostBudget } = cast;
        const next = () => cues.shift() ?? null;
        const { text, ends } = recited({ company, setting, ghostBudget, title, next });
        return { text, ends: endsOf(played, side, ends) };
      }),
  };
}

/** After each step of both: the line after so many cues of this side. */
function endsOf(played: readonly PairStep<Cue>[], side: 'left' | 'right', ends: readonly number[]) {
  let cues = 0;
  const after = played.map((bar) => {
    if (bar[side] !== null) cues += 1;
    return ends[cues] ?? 0;
  });
  return [ends[0] ?? 0, ...after];
}

function stepOf({ left, right }: PairStep<Cue>): Step {
  const [one, other] = [happening(left), happening(right)];
  const isSame = one === other;
  const at = isSame ? 'both' : 'one';
  return { at, to: at, happened: one, changes: [], ...(isSame ? {} : { beside: other }) };
}

function happening(cue: Cue | null): string {
  if (cue === null) return 'nothing';
  if (cue.type === 'timer') return 'time passes';
  if (cue.type === 'leave') return `${cue.seat} leaves`;
  const { bid } = cue;
  const said = bid.type === 'reply' && bid.reply.message !== '' ? `: “${bid.reply.message}”` : '';
  const thought =
    bid.type === 'reply' && bid.reply.thought !== '' ? ` and thought “${bid.reply.thought}”` : '';
  return `${bid.seat} ${deed(bid)}${said}${thought}`;
}

/** What either saw at the place of the difference, where it is something that was seen. */
function differs(bar: PairStep<Cue> | undefined, at: string): string {
  if (bar === undefined || !at.startsWith('seen')) return '.';
  const [one, other] = bar.seen.map((seen) => worded(at.slice('seen'.length), seen));
  return `: ${one} in one, ${other} in the other.`;
}

const LONGEST = 80;

function worded(path: string, from: unknown): string {
  let value = from;
  for (const name of path.match(/[^.[\]]+/g) ?? []) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
