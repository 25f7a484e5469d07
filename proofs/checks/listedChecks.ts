/** Laws that are tried on lists of cases instead of a search: answers, kept replies, draws, and a player's memory. */
import { decode, encode, PLAIN_READERS } from '../../machines/journal/codec.ts';
import { lineSchema } from '../../machines/journal/lines.ts';
import { dealTasks } from '../../machines/rules/ship/tasks.ts';
import { drawRoles } from '../../machines/setup/prepare.ts';
import type { Bid } from '../../machines/types.ts';
import { ANSWER_LAWS, KEEPING_LAW } from '../properties/answers.ts';
import { ROLE_LAW, TASK_LAW } from '../properties/deals.ts';
import { misremembered, PLAYER_LAW } from '../properties/player.ts';
import type { PropertyFinding } from './meetingSearch.ts';
import { type ExtraFindings, type ExtraSearchOptions, VIOLATED } from './smallChecks.ts';

type ListedLaw = {
  readonly name: string;
  readonly sentence: string;
  /** The cases in which the law does not hold. */
  readonly find: () => Iterable<unknown>;
};

const LISTED_LAWS: readonly ListedLaw[] = [
  ...ANSWER_LAWS.map(({ misread, ...law }) => ({ ...law, find: () => misread() })),
  { ...PLAYER_LAW, find: () => misremembered() },
  { ...KEEPING_LAW, find: () => KEEPING_LAW.miswritten(keepBid) },
  { ...TASK_LAW, find: () => TASK_LAW.misdealt(dealTasks) },
  { ...ROLE_LAW, find: () => ROLE_LAW.misdrawn(drawRoles) },
];

const TURN = { type: 'turn.closed', turn: 0, requestKind: 'ghost', dice: {}, said: null } as const;
const PLACE = { channel: 'ghosts', seq: 1, hash: '0'.repeat(64) };

/** Writes a bid to a journal, and reads it without a parser. */
function keepBid(bid: Bid): Bid | null {
  const line = lineSchema.parse({ ...encode({ ...TURN, bids: [bid] }), ...PLACE });
  const kept = decode(line, PLAIN_READERS);
  return kept?.type === 'turn.closed' ? (kept.bids[0] ?? null) : null;
}

export const LISTED_CHECKS: readonly string[] = LISTED_LAWS.map(({ name }) => name);

/** Tries the cases of each law. They are the same for every meeting. */
export function askListed({ now }: Pick<ExtraSearchOptions, 'now'>): ExtraFindings {
  const begun = now();
  const verdicts = LISTED_LAWS.map(({ name, sentence, find }): PropertyFinding => {
    const head = { name, sentence, kind: 'bounded', expected: 'proved' } as const;
    const [first] = find();
    if (first === undefined) return { ...head, verdict: { type: 'proved', antecedents: null } };
    const note = `It does not hold for ${JSON.stringify(first)}`;
    return { ...head, verdict: VIOLATED, shown: { steps: [], note, journals: () => [] } };
  });
  const about = 'listed answers, deals and lives of a player';
  const counted = { states: 0, transitions: 0, ended: null, seconds: now() - begun };
  return { asides: [{ about, ...counted, asked: LISTED_CHECKS }], verdicts };
}
