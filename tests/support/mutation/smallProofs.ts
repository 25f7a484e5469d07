/**
 * Small proofs that judge a mutant, without any test: meetings of three with faults and a departure, searched bid by bid
 * by either rules, meetings of two that are stopped or paused, the arbiter among three, a player and the gallery by
 * themselves, and small games. Each takes some two seconds of a processor, the games four.
 */
import { type CheckResult, check, isAsDeclared, type Model } from 'glass-box-checker';
import type { EventObject } from 'xstate';
import { meetingMachine } from '../../../machines/charts/meeting.ts';
import type { MeetingSetup } from '../../../machines/rules/meeting.ts';
import { createGameModel, SMALL_GAMES } from '../../../proofs/games.ts';
import { arbiterModel, createAdversary } from '../../../proofs/models/arbiter.ts';
import {
  classicTable,
  deadCallerTable,
  type Environment,
  factoredEvents,
  houseTable,
  meetingEvents,
} from '../../../proofs/models/meeting.ts';
import { NoCanonicalForm, seatSymmetry } from '../../../proofs/models/symmetry.ts';
import { listMeetingProperties } from '../../../proofs/properties/meeting.ts';
import { galleryModel, playerModel } from './actorProofs.ts';

/** What a proof noticed: the property, and in which world. */
export type ProofNotice = { readonly world: string; readonly property: string };

const TALK: Environment = { faults: true, combinations: 'folded', departures: 1, stops: false };
const STOPPED: Environment = { ...TALK, stops: true };

/** A refused meeting keeps few properties: most of them speak of what never happens there. */
const OF_A_REFUSED_CALL = ['call-is-judged', 'dead-never-call', 'closed-is-done', 'never-stuck'];

function withImpostor(setting: MeetingSetup): MeetingSetup {
  const [first, ...others] = setting.seats;
  return { ...setting, seats: [{ colour: first?.colour ?? 'red', role: 'impostor' }, ...others] };
}

function proveMeeting(
  setting: MeetingSetup,
  environment: Environment,
  only: readonly string[] | null = null,
) {
  const model = {
    name: setting.options.rules,
    machine: meetingMachine,
    input: setting,
    world: meetingEvents(environment),
    ...factoredEvents(environment),
    properties: listMeetingProperties(setting, environment),
    symmetry: seatSymmetry(setting),
  };
  return () => {
    try {
      return check(model, { isSymmetric: true, only, purity: 'some-steps' });
    } catch (error) {
      // Some mistakes leave a table of which nothing is known but itself: then every state is looked at.
      if (!(error instanceof NoCanonicalForm)) throw error;
      return check(model, { only, purity: 'some-steps' });
    }
  };
}

function proveOther<C, E extends EventObject>(model: Model<C, E>, isSymmetric: boolean) {
  return () => check(model, { isSymmetric, purity: 'some-steps' });
}

type Proof = readonly [world: string, prove: () => CheckResult<EventObject>];

export const PROOF_KINDS = ['meeting', 'game', 'player', 'gallery'] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** Made when they are asked for: what they are about is the mutant. */
const PROOFS: Readonly<Record<ProofKind, () => readonly Proof[]>> = {
  meeting: () => [
    ['house', proveMeeting(withImpostor(houseTable()), TALK)],
    ['classic', proveMeeting(withImpostor(classicTable()), TALK)],
    [
      'house with pauses',
      proveMeeting(houseTable({ players: 2, beatMs: 1, anonymousVotes: true }), STOPPED),
    ],
    [
      'classic with a limit',
      proveMeeting(classicTable({ players: 2, beatMs: 1, maxTicks: 2 }), STOPPED),
    ],
    ['a call by the dead', proveMeeting(deadCallerTable(), STOPPED, OF_A_REFUSED_CALL)],
    ['the arbiter among three', proveOther(arbiterModel(createAdversary(3)), false)],
  ],
  game: () =>
    (['kills and reports', 'the button, leavers and stops'] as const).map(
      (name) => [name, proveOther(createGameModel(SMALL_GAMES[name]), true)] as const,
    ),
  player: () => [
    ['a living player', proveOther(playerModel(false, false), false)],
    ['a player who answers at once', proveOther(playerModel(true, false), false)],
    ['a ghost', proveOther(playerModel(false, true), false)],
  ],
  gallery: () => [
    ['an empty gallery', proveOther(galleryModel([]), false)],
    ['a gallery', proveOther(galleryModel(['red']), false)],
  ],
};

/** The first property that does not turn out as declared; null where all do. */
export function findProofNotice(kind: ProofKind): ProofNotice | null {
  for (const [world, prove] of PROOFS[kind]()) {
    const { broken, results } = prove();
    if (broken !== null) return { world, property: broken.code };
    const odd = results.find((one) => !isAsDeclared(one));
    if (odd !== undefined) return { world, property: odd.name };
  }
  return null;
}
