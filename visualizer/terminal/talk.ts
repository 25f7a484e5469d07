/** A tick in print: the bids where they may be seen, what was said, and what it does to whom. */
import type { SeenOf } from '../../machines/journal/lens.ts';
import { type Hit, NUDGE } from '../../machines/types.ts';
import { bidBlocks } from './bids.ts';
import { type Ink, ink } from './ink.ts';
import { thoughtBlock } from './minds.ts';
import { type Block, blank, INDENT, NUMBER_WIDTH, paragraph } from './page.ts';
import type { Scene } from './scene.ts';
import { named, player } from './seats.ts';

type Tick = SeenOf<'tick.closed'>;
type Said = NonNullable<Tick['said']>;

const NUDGES = {
  ticks: 'the talk has been long',
  tokens: 'so much has been said',
} as const;

export function tickBlocks(tick: Tick, scene: Scene): readonly Block[] {
  if (tick.occasion === 'reaction' || tick.occasion === 'consolidation')
    return privateBlocks(tick, scene);
  const lead = `${String(tick.tick ?? '').padStart(NUMBER_WIDTH)}  `;
  const bids = bidBlocks(tick, lead);
  const speech = speechBlock(tick, scene, bids.length === 0 ? lead : INDENT);
  const details = [...markBlocks(tick, scene), ...ownThought(tick, scene), ...nudgeBlocks(tick)];
  return [...(bids.length === 0 ? [] : [blank()]), ...bids, speech, ...details];
}

function speechBlock({ said }: Tick, { names }: Scene, lead: string): Block {
  if (said === null || said === undefined) {
    return paragraph([ink(lead, 'dim')], [ink('nobody asks for the floor', 'dim', 'italic')]);
  }
  return paragraph([ink(lead, 'dim')], [...speaker(said, names), ink(' '), ...words(said)]);
}

function speaker({ speaker: by, target }: Said, names: Scene['names']): readonly Ink[] {
  const who = by === 'system' ? [ink('System', 'bold')] : named(by, names);
  return target === undefined
    ? [...who, ink(':')]
    : [...who, ink(' to '), ...player(target), ink(':')];
}

function words({ message }: Said): readonly Ink[] {
  return message === ''
    ? [ink('says nothing', 'italic')]
    : [ink('“'), ink(message, 'bold'), ink('”')];
}

/** Who is named and accused by what was said, and where that was read: for the audit, not for the table. */
function markBlocks({ hits = [] }: Tick, { state: { lens } }: Scene): readonly Block[] {
  if (lens.type === 'table' || hits.length === 0) return [];
  const marks = hits
    .map(mark)
    .flatMap((inks, index) => (index === 0 ? inks : [ink('; ', 'dim'), ...inks]));
  return [paragraph([ink(`${INDENT}! `, 'yellow')], marks)];
}

/** By the rules whoever is addressed counts as accused; people read that as what it is. */
function mark({ seat, kind, word, reason }: Hit): readonly Ink[] {
  const isAddressed = kind === 'accusation' && word === 'target';
  const verb = kind === 'mention' ? 'names' : isAddressed ? 'addresses' : 'accuses';
  const where = kind === 'mention' ? `“${word}”` : `“${word}”, ${reason}`;
  const why = isAddressed ? 'which counts as an accusation' : where;
  return [ink(`${verb} `, 'dim'), ...player(seat), ink(` (${why})`, 'dim')];
}

function ownThought({ floor }: Tick, { state }: Scene): readonly Block[] {
  return floor === null || floor === undefined
    ? []
    : thoughtBlock(state.minds.thoughts[floor], INDENT);
}

function nudgeBlocks({ nudge }: Tick): readonly Block[] {
  if (nudge === null || nudge === undefined) return [];
  const why = ink(` (${NUDGES[nudge]})`, 'dim');
  return [
    paragraph([ink(INDENT)], [ink('System:', 'bold', 'cyan'), ink(` “${NUDGE}”`, 'bold'), why]),
  ];
}

/** Nobody speaks in these ticks: they are all in the mind. */
function privateBlocks({ occasion, bids }: Tick, { state }: Scene): readonly Block[] {
  const what =
    occasion === 'reaction' ? 'Everybody takes it in.' : 'Everybody decides what to keep.';
  const minds = (bids ?? []).flatMap(({ seat, fault }) => {
    if (fault !== undefined)
      return [paragraph([ink(INDENT)], [...player(seat), ink(` · fault: ${fault}`, 'red')])];
    const thought = state.minds.thoughts[seat] ?? '';
    if (thought === '') return [];
    return [
      paragraph([ink(INDENT)], [...player(seat), ink(' thinks: ', 'dim'), ink(thought, 'italic')]),
    ];
  });
  return [paragraph([ink(INDENT)], [ink(what, 'dim')]), ...minds];
}
