/** What must be possible: ways in which a meeting can go, each to be seen at least once. */

import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import type { Knobs } from '../models/world.ts';
import { marks } from './ending.ts';
import { isClassic, livingAt, type Rest, type RestPromise } from './promise.ts';

function witness(name: string, sentence: string, holds: (rest: Rest) => boolean): RestPromise {
  return { name, sentence, kind: 'sometimes', holds };
}

const isResult =
  (outcome: Rest['context']['outcome']) =>
  ({ at, context }: Rest) =>
    at === 'closed' && context.outcome === outcome;

/** The ways that are open with these options and knobs. */
export function witnesses(
  { options, standings }: MeetingSetup,
  knobs: Knobs,
): readonly RestPromise[] {
  const living = Object.values(standings).filter((standing) => standing === 'living').length;
  const isTimed = marks(options).timeUp !== null;
  const leavers = Math.min(knobs.departures, living);
  return [
    witness('can-eject', 'A meeting can eject somebody.', isResult('ejected')),
    ...(living > 0 ? [witness('can-skip', 'A meeting can be skipped.', isResult('skipped'))] : []),
    ...(living > 1 || isTimed
      ? [witness('can-tie', 'A meeting can end in a tie.', isResult('tie'))]
      : []),
    ...(leavers === living
      ? [witness('can-be-empty', 'A meeting can end with nobody left alive.', isResult('empty'))]
      : []),
    ...(leavers > 0 && options.rules === 'house'
      ? [
          witness(
            'can-be-void',
            'A ballot can turn void, because whom it names has left.',
            ({ context }) => (context.poll?.void.length ?? 0) > 0,
          ),
        ]
      : []),
    ...(isTimed ? timedWitnesses : []),
    ...(leavers > 0 && living > 2 && options.rules === 'classic' ? [lateElection] : []),
    ...(knobs.stops
      ? [
          witness('can-be-interrupted', 'A run can be interrupted.', isResult('interrupted')),
          witness('can-be-unconverged', 'A run can end unconverged.', isResult('unconverged')),
        ]
      : []),
  ];
}

const timedWitnesses: readonly RestPromise[] = [
  witness(
    'can-run-out-of-time',
    'Voting time can run out before everybody has voted.',
    ({ at, context }) => at === 'voting.counting' && (context.poll?.missed.length ?? 0) > 0,
  ),
  witness(
    'can-miss-and-eject',
    'Somebody can be ejected although a vote was missed.',
    ({ at, context }) =>
      at === 'closed' && context.outcome === 'ejected' && (context.poll?.missed.length ?? 0) > 0,
  ),
];

const lateElection: RestPromise = witness(
  'can-go-on-without-them',
  'In classic all who are left can vote after somebody has left.',
  (rest) =>
    isClassic(rest) &&
    rest.at === 'voting.counting' &&
    Object.values(rest.context.standings).includes('departed') &&
    rest.context.poll?.missed.length === 0 &&
    livingAt(rest).length > 0,
);
