/** The anchors: minds at the ends of the scale, from no play to votes by all that a seat can know. They are frozen. */
import type { GameModels } from '../../actors/league/game.ts';
import { silentMind } from '../../actors/minds/kinds.ts';
import { writeChoices } from '../../actors/minds/own/requestMessage.ts';
import type { LightMind, MindRequest } from '../../actors/minds/port.ts';
import { drawFraction, type MindChance, pick } from '../../actors/minds/scripted/chance.ts';
import { reason } from '../../actors/minds/scripted/knowledge.ts';
import { createScriptedMind } from '../../actors/minds/scripted/mind.ts';
import { type LivingView, livingOthers } from '../../machines/rules/views.ts';
import { capitalize, isRecord } from '../../machines/text.ts';
import { COLOURS, type Colour, SYSTEM } from '../../machines/types.ts';
import { findAccused } from '../../prompts/claims/claims.ts';
import type { Anchor } from './sizes.ts';

export function seatAnchor(anchor: Anchor, seed: number): GameModels {
  return {
    minds: ({ colour }) => createAnchor(anchor, seed, colour),
    attach: () => {},
    paused: () => null,
    reflect: async () => ({ learned: null, cost: {} }),
    close: async () => {},
  };
}

/** On the ship all but the first two play as the reference does, and so do the ghosts. */
function createAnchor(anchor: Anchor, seed: number, colour: Colour): LightMind {
  if (anchor === 'silent') return silentMind;
  const reference = createScriptedMind(seed, colour, 'observer');
  return {
    pace: 'at-once',
    answer: (request) => {
      if (anchor === 'random' && request.kind !== 'ghost')
        return { ok: true, received: drawAnswer(request, seed, colour) };
      const played = reference.answer(request);
      const isTalk = request.kind === 'discussion' || request.kind === 'voting';
      if (!isTalk || !played.ok || !isRecord(played.received)) return played;
      const { vote_action: own } = played.received;
      const said = talk(anchor, request.view, typeof own === 'string' ? own : null);
      return { ok: true, received: { ...played.received, ...said } };
    },
  };
}

/** `own` is the vote of the reference now, so that all but `liar` vote no earlier. */
function talk(anchor: Anchor, view: LivingView, own: string | null): object {
  const isImpostor = view.you.role === 'impostor';
  if (anchor === 'oracle') return isImpostor ? {} : speakTruth(view, own);
  if (anchor === 'liar') return isImpostor ? swear(view) : {};
  const accused = anchor === 'skip' ? null : findLastAccused(view, livingOthers(view));
  return { ...SILENCE, vote_action: own === null ? null : (accused ?? 'skip') };
}

const SILENCE = { message: '', target: null, desire_to_speak: 0 };

function findLastAccused({ table }: LivingView, among: readonly Colour[]): Colour | undefined {
  return table.transcript
    .flatMap(({ speaker, target, message }) =>
      speaker === SYSTEM ? [] : findAccused({ speaker, target, message }),
    )
    .findLast((accused) => among.includes(accused));
}

/** A fourth time would change nothing in the pool. */
const OATHS = 3;

/** Swears that it saw a crewmate do it, the one who was accused last, and votes for that one as soon as it can. */
function swear(view: LivingView): object {
  const { you, table } = view;
  const crew = livingOthers(view).filter((who) => !you.partners.includes(who));
  const told = table.transcript.filter(({ speaker }) => speaker === you.colour);
  const who = told[0]?.target ?? findLastAccused(view, crew) ?? crew[0];
  if (who === undefined) return SILENCE;
  const deed = table.call.body === null ? 'vent' : `kill ${capitalize(table.call.body)}`;
  const message = `I saw ${capitalize(who)} ${deed}.`;
  const said = told.length < OATHS ? { message, target: who, desire_to_speak: 10 } : SILENCE;
  const votes = told.length > 0 && table.votesOpen && you.ballot === null;
  return { ...said, vote_action: votes ? who : null };
}

const MOST_SIGHTS = 4;
const DEEDS: Readonly<Record<string, string>> = { kill: 'kill somebody', vent: 'vent' };

/** Votes as the reference does, but never to skip, and never for a player less than half as likely as the likeliest. */
function speakTruth(view: LivingView, own: string | null): object {
  const { odds } = reason(view);
  const ranked = livingOthers(view).toSorted(
    (one, other) =>
      (odds[other] ?? 0) - (odds[one] ?? 0) || COLOURS.indexOf(one) - COLOURS.indexOf(other),
  );
  const [first] = ranked;
  const most = first === undefined ? undefined : odds[first];
  const isSound = ranked.some((one) => one === own && (odds[one] ?? 0) * 2 >= (most ?? 0));
  const vote = own !== null && most !== undefined && !isSound && { vote_action: first };
  const { colour, brief } = view.you;
  if (view.table.transcript.some(({ speaker }) => speaker === colour))
    return { ...SILENCE, ...vote };
  const isCrime = ({ did }: { readonly did: string }) => Number(did in DEEDS);
  const told = brief.sightings
    .toSorted((one, other) => isCrime(other) - isCrime(one) || one.ago - other.ago)
    .slice(0, MOST_SIGHTS)
    .map(({ who, place, did, ago }) => {
      const deed = DEEDS[did];
      return `I saw ${capitalize(who)}${deed === undefined ? '' : ` ${deed}`} in ${place} ${ago} seconds ago.`;
    });
  return { message: told.join(' '), target: null, desire_to_speak: 10, ...vote };
}

const LANE = { votes: 100, vote: 101, action: 102, target: 103, desire: 104, place: 105 } as const;
/** The chance of a vote in a tick that allows one. */
const VOTES = 0.2;

/** More ticks than any meeting has. */
const SPAN = 2 ** 14;

function drawAnswer(
  request: Exclude<MindRequest, { kind: 'ghost' }>,
  seed: number,
  colour: Colour,
): object {
  const { votes, targets, actions } = writeChoices(request);
  const meetings = request.kind === 'action' ? 0 : request.view.table.record.meetings.length + 1;
  const chance: MindChance = { seed, colour, moment: meetings * SPAN + request.index };
  const scratch = { internal_thought: '', scratchpad_updates: {} };
  if (request.kind === 'action')
    return { ...scratch, action: pick(chance, LANE.action, actions) ?? null };
  return {
    ...scratch,
    desire_to_speak: Math.floor(11 * drawFraction(chance, LANE.desire)),
    message: 'I saw nothing.',
    target: pick(chance, LANE.target, targets) ?? null,
    vote_action:
      drawFraction(chance, LANE.votes) < VOTES ? (pick(chance, LANE.vote, votes) ?? null) : null,
  };
}
