/** Laws that are tried on lists of cases instead of a search: answers, the journal, whole runs, and a player's memory. */
import { modelBidStream } from '../../actors/engine/bids.ts';
import { readJournal } from '../../actors/engine/journal/reader.ts';
import { seeThrough } from '../../machines/journal/lens.ts';
import { countTurned } from '../../machines/journal/projection.ts';
import { OUTGOING } from '../../machines/outgoing.ts';
import { capTokens } from '../../machines/rules/floor.ts';
import { rounds } from '../../machines/rules/options.ts';
import { consolidatePads, updatePads } from '../../machines/rules/pads.ts';
import { dealTasks } from '../../machines/rules/ship/tasks.ts';
import { dueAfter } from '../../machines/rules/tick.ts';
import { drawRoles } from '../../machines/setup/prepare.ts';
import type { BySeat, Colour, Die } from '../../machines/types.ts';
import { createMeetingSystem, type SystemState } from '../models/meetingSystem.ts';
import { publicInputs, smallMeeting } from '../models/secrets.ts';
import { ANSWER_LAWS, KEEPING_LAW } from '../properties/answers.ts';
import { ROLE_LAW, TASK_LAW } from '../properties/deals.ts';
import { CUT_LAW, type DrawPlace, LENS_LAW, STREAM_LAW, TIME_LAW } from '../properties/limits.ts';
import { PLAYER_LAW } from '../properties/player.ts';
import { COUNT_LAW, DAMAGE_LAW } from '../properties/record.ts';
import { performMeeting } from '../traces/performMeeting.ts';
import type { PropertyFinding } from './meetingSearch.ts';
import { type ExtraFindings, type ExtraSearchOptions, VIOLATED } from './smallChecks.ts';
import { ENGINE_LAW } from './watchedMatches.ts';

type ListedLaw = {
  readonly name: string;
  readonly sentence: string;
  /** The cases in which the law does not hold. */
  readonly find: () => Iterable<unknown> | AsyncIterable<unknown>;
};

const ROLLS = [
  ['table', rollAtTable],
  ['gallery', rollForGhosts],
] as const;

const LISTED_LAWS: readonly ListedLaw[] = [
  ...ANSWER_LAWS,
  PLAYER_LAW,
  KEEPING_LAW,
  { ...DAMAGE_LAW, find: () => DAMAGE_LAW.misreported(writeJournal(), readDamages) },
  { ...COUNT_LAW, find: () => COUNT_LAW.miscounted(countTurned) },
  ENGINE_LAW,
  { ...STREAM_LAW, find: () => STREAM_LAW.misrolled(ROLLS) },
  { ...TIME_LAW, find: () => TIME_LAW.mistimed(dueAfter, rounds) },
  { ...CUT_LAW, find: () => CUT_LAW.miscut(updatePads, consolidatePads, capTokens) },
  { ...LENS_LAW, find: () => LENS_LAW.misshown(seeThrough) },
  { ...TASK_LAW, find: () => TASK_LAW.misdealt(dealTasks) },
  { ...ROLE_LAW, find: () => ROLE_LAW.misdrawn(drawRoles) },
];

function writeJournal(): readonly string[] {
  const cast = smallMeeting();
  const next = (state: SystemState) => publicInputs(state, state).at(-1)?.left ?? null;
  const title = { name: DAMAGE_LAW.name, about: DAMAGE_LAW.sentence };
  const { text } = performMeeting({ ...cast, system: createMeetingSystem(cast), title, next });
  return text.trimEnd().split('\n');
}

const readDamages = (text: string) => readJournal(text).damages.map(({ line }) => line);

function rollAtTable({ tick, ...chance }: DrawPlace, seats: readonly Colour[]): BySeat<Die> {
  const [gathered] = modelBidStream(
    [
      { type: 'bids.awaited', tick, seats },
      { type: 'bids.requested', tick },
      { type: 'time.called', tick },
    ],
    chance,
  );
  return gathered?.type === 'bids.gathered' ? gathered.dice : {};
}

function rollForGhosts(
  { tick: turn, ...chance }: DrawPlace,
  asked: readonly Colour[],
): BySeat<Die> {
  const idle = { chat: [], glimpse: null, waiting: [], answers: {}, over: false };
  const input = { ghosts: asked, budget: 1, deadlineMs: 1, messageTokens: 1 };
  const [sent] = OUTGOING.gallery.drawDice({ ...idle, ...input, chance, turn, asked });
  return sent?.message.type === 'turn.ended' ? sent.message.dice : {};
}

export const LISTED_CHECKS: readonly string[] = LISTED_LAWS.map(({ name }) => name);

/** Tries the cases of each law. They are the same for every meeting. */
export async function askListed({ now }: Pick<ExtraSearchOptions, 'now'>): Promise<ExtraFindings> {
  const begun = now();
  const verdicts: PropertyFinding[] = [];
  for (const { name, sentence, find } of LISTED_LAWS) {
    const head = { name, sentence, kind: 'bounded', expected: 'proved' } as const;
    verdicts.push({ ...head, verdict: { type: 'proved', antecedents: null } });
    for await (const first of find()) {
      const note = `It does not hold for ${JSON.stringify(first)}`;
      const shown = { steps: [], note, journals: () => [] };
      verdicts.splice(-1, 1, { ...head, verdict: VIOLATED, shown });
      break;
    }
  }
  const about = 'listed answers, deals and lives of a player';
  const counted = { states: 0, transitions: 0, ended: null, seconds: now() - begun };
  return { asides: [{ about, ...counted, asked: LISTED_CHECKS }], verdicts };
}
