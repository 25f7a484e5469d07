/**
 * Lists all properties of a meeting, as sentences that a player could dispute. The list depends on
 * the start of the meeting and its environment: a property of faults would be vacuous if no mind
 * fails. A condition shared by a group is here, any other with its property.
 */
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import { clockMarks } from '../models/clock.ts';
import type { MeetingKnobs } from '../models/meeting.ts';
import { announcementProperties, startProperty, wordProperties } from './announcements.ts';
import { endingProperties, listLivenessProperties, stopProperties } from './ending.ts';
import { presenceProperties, tickProperties } from './floor.ts';
import { promiseProperties } from './promises.ts';
import {
  isClassic,
  livingSeats,
  type MeetingProperty,
  type MeetingSnapshot,
  type StateProperty,
} from './property.ts';
import { pollProperties, voteProperties } from './votes.ts';

type WitnessRow = readonly [
  name: string,
  sentence: string,
  isPossible: boolean,
  holds: (state: MeetingSnapshot) => boolean,
];

const isResult =
  (wanted: MeetingSnapshot['context']['outcome']) =>
  ({ at, context }: MeetingSnapshot) =>
    at === 'closed' && context.outcome === wanted;

const hasMissed = ({ context }: MeetingSnapshot) => (context.poll?.missed.length ?? 0) > 0;

function listWitnesses(
  { options, standings }: MeetingSetup,
  { departures, stops }: MeetingKnobs,
): readonly StateProperty[] {
  const living = Object.values(standings).filter((standing) => standing === 'living').length;
  const isTimed = clockMarks(options).timeUp !== null;
  const leavers = Math.min(departures, living);
  const isVoid = leavers > 0 && options.rules === 'house';
  const isLate = leavers > 0 && living > 2 && options.rules === 'classic';
  const witnesses: readonly WitnessRow[] = [
    ['can-eject', 'A meeting can eject a player.', true, isResult('ejected')],
    ['can-skip', 'A meeting can be skipped.', living > 0, isResult('skipped')],
    ['can-tie', 'A meeting can end in a tie.', living > 1 || isTimed, isResult('tie')],
    [
      'can-be-empty',
      'A meeting can end with no player left alive.',
      leavers === living,
      isResult('empty'),
    ],
    [
      'can-be-void',
      'A ballot can become void because the player it names has left.',
      isVoid,
      ({ context }) => (context.poll?.void.length ?? 0) > 0,
    ],
    [
      'can-run-out-of-time',
      'Voting time can run out before all players have voted.',
      isTimed,
      (state) => state.at === 'voting.counting' && hasMissed(state),
    ],
    [
      'can-miss-and-eject',
      'Somebody can be ejected although a vote was missed.',
      isTimed,
      (state) => isResult('ejected')(state) && hasMissed(state),
    ],
    [
      'can-go-on-without-them',
      'In classic rules, all remaining players can vote after one has left.',
      isLate,
      isCompleteWithoutLeavers,
    ],
    ['can-be-interrupted', 'A run can be interrupted.', stops, isResult('interrupted')],
    ['can-be-unconverged', 'A run can end unconverged.', stops, isResult('unconverged')],
  ];
  return witnesses.flatMap(([name, sentence, isPossible, holds]): readonly StateProperty[] =>
    isPossible ? [{ name, sentence, kind: 'sometimes', holds }] : [],
  );
}

function isCompleteWithoutLeavers(state: MeetingSnapshot): boolean {
  return (
    isClassic(state) &&
    state.at === 'voting.counting' &&
    Object.values(state.context.standings).includes('departed') &&
    state.context.poll?.missed.length === 0 &&
    livingSeats(state).length > 0
  );
}

export function listMeetingProperties(
  setting: MeetingSetup,
  environment: MeetingKnobs,
): readonly MeetingProperty[] {
  const world = { setting, environment };
  const properties: readonly MeetingProperty[] = [
    startProperty,
    ...voteProperties,
    ...tickProperties,
    ...presenceProperties,
    ...pollProperties,
    ...announcementProperties,
    ...(environment.stops ? stopProperties : []),
    ...endingProperties,
    ...wordProperties,
    ...promiseProperties,
    ...listWitnesses(setting, environment),
    ...listLivenessProperties(setting.options),
  ];
  return properties.filter(({ appliesTo }) => appliesTo?.(world) ?? true);
}
