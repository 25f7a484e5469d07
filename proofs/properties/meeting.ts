/**
 * Lists all properties of a meeting, as sentences that a player could dispute. The list depends on
 * the start of the meeting and its environment: a property of faults would be vacuous if no mind
 * fails. A condition shared by a group is here, any other with its property.
 */
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { clockMarks } from '../models/clock.ts';
import type { MeetingKnobs } from '../models/meeting.ts';
import {
  announcementProperties,
  faultNoteProperty,
  leaverProperties,
  startProperty,
  wordProperties,
} from './announcements.ts';
import {
  endingProperties,
  limitProperty,
  listLivenessProperties,
  pauseProperty,
  stopProperties,
} from './ending.ts';
import {
  departureProperties,
  disconnectionProperty,
  faultProperties,
  floorProperties,
  leavingProperties,
  messageProperties,
  presenceProperties,
} from './floor.ts';
import { promiseProperties } from './promises.ts';
import {
  canLeave,
  isClassic,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type StateProperty,
} from './property.ts';
import { pollProperties, voteProperties } from './votes.ts';

function witness(
  name: string,
  sentence: string,
  holds: (state: MeetingSnapshot) => boolean,
): StateProperty {
  return { name, sentence, kind: 'sometimes', holds };
}

const isResult =
  (outcome: MeetingSnapshot['context']['outcome']) =>
  ({ at, context }: MeetingSnapshot) =>
    at === 'closed' && context.outcome === outcome;

function listWitnesses(
  { options, standings }: MeetingSetup,
  environment: MeetingKnobs,
): readonly StateProperty[] {
  const living = Object.values(standings).filter((standing) => standing === 'living').length;
  const isTimed = clockMarks(options).timeUp !== null;
  const leavers = Math.min(environment.departures, living);
  return [
    witness('can-eject', 'A meeting can eject a player.', isResult('ejected')),
    ...(living > 0 ? [witness('can-skip', 'A meeting can be skipped.', isResult('skipped'))] : []),
    ...(living > 1 || isTimed
      ? [witness('can-tie', 'A meeting can end in a tie.', isResult('tie'))]
      : []),
    ...(leavers === living
      ? [witness('can-be-empty', 'A meeting can end with no player left alive.', isResult('empty'))]
      : []),
    ...(leavers > 0 && options.rules === 'house'
      ? [
          witness(
            'can-be-void',
            'A ballot can become void because the player it names has left.',
            ({ context }) => (context.poll?.void.length ?? 0) > 0,
          ),
        ]
      : []),
    ...(isTimed ? timedWitnesses : []),
    ...(leavers > 0 && living > 2 && options.rules === 'classic' ? [lateVote] : []),
    ...(environment.stops
      ? [
          witness('can-be-interrupted', 'A run can be interrupted.', isResult('interrupted')),
          witness('can-be-unconverged', 'A run can end unconverged.', isResult('unconverged')),
        ]
      : []),
  ];
}

const timedWitnesses: readonly StateProperty[] = [
  witness(
    'can-run-out-of-time',
    'Voting time can run out before all players have voted.',
    ({ at, context }) => at === 'voting.counting' && (context.poll?.missed.length ?? 0) > 0,
  ),
  witness(
    'can-miss-and-eject',
    'Somebody can be ejected although a vote was missed.',
    ({ at, context }) =>
      at === 'closed' && context.outcome === 'ejected' && (context.poll?.missed.length ?? 0) > 0,
  ),
];

const lateVote: StateProperty = witness(
  'can-go-on-without-them',
  'In classic rules, all remaining players can vote after one has left.',
  (state) =>
    isClassic(state) &&
    state.at === 'voting.counting' &&
    Object.values(state.context.standings).includes('departed') &&
    state.context.poll?.missed.length === 0 &&
    livingSeats(state).length > 0,
);

export function listMeetingProperties(
  setting: MeetingSetup,
  environment: MeetingKnobs,
): readonly MeetingProperty[] {
  const { options } = setting;
  const world = { setting, environment };
  const properties: readonly MeetingProperty[] = [
    startProperty,
    ...voteProperties,
    ...floorProperties,
    ...presenceProperties,
    ...departureProperties,
    ...(environment.faults ? [...faultProperties, faultNoteProperty] : []),
    ...(environment.faults && canLeave(world) ? [disconnectionProperty] : []),
    ...pollProperties,
    ...messageProperties,
    ...announcementProperties,
    ...(environment.faults || canLeave(world) ? leaverProperties : []),
    ...(canLeave(world) ? leavingProperties : []),
    ...(environment.stops ? stopProperties : []),
    ...(environment.stops && options.beatMs > 0 ? [pauseProperty] : []),
    ...(options.maxTicks === null ? [] : [limitProperty]),
    ...endingProperties,
    ...wordProperties,
    ...promiseProperties,
    ...listWitnesses(setting, environment),
    ...listLivenessProperties(options),
  ];
  return properties.filter(({ appliesTo }) => appliesTo?.(world) ?? true);
}
