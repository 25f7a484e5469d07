/** What holds from here on, with live numbers, and the property by which the checker proves each sentence. */
import { computed } from '@preact/signals';
import type { MeetingPromise } from '../../../../machines/rules/promises.ts';
import { capitalize, listWords, pluralize } from '../../../../machines/text.ts';
import { settledStep, story } from '../state/session.ts';

const told = computed(() => {
  try {
    return tellPromises(story.value.promisesAt(settledStep.value));
  } catch {
    // A forged journal may bring anything instead of promises.
    return [];
  }
});

export function hasPromises(): boolean {
  return told.value.length > 0;
}

/** The folded panel has room for a few words. */
export function describePromises(): string {
  return told.value[0]?.[0].replace('who keeps bidding', 'if bidding') ?? '';
}

export function Promises() {
  return (
    <ul>
      {told.value.map(([says, property, note]) => (
        <li key={property} title={`Proved: ${property}. ${note}`}>
          {says.split(/(\d+)/).map((part, index) => (index % 2 === 1 ? <b>{part}</b> : part))}
        </li>
      ))}
    </ul>
  );
}

type ToldPromise = readonly [says: string, property: string, note: string];

/** All cast ballots decide more than the turned ones, where the lens has them. */
function tellPromises(all: readonly MeetingPromise[]): readonly ToldPromise[] {
  const hasCast = all.some((one) => one.type === 'ejection' && one.from === 'cast');
  return all
    .filter((one) => !(hasCast && one.type === 'ejection' && one.from === 'turned'))
    .map(tellPromise);
}

function tellPromise(promise: MeetingPromise): ToldPromise {
  switch (promise.type) {
    case 'floor': {
      const waits = Object.entries(promise.ticks).toSorted(([, one], [, other]) => one - other);
      const [[seat = '', ticks = 0] = [], ...others] = waits;
      const later = others.map(([other, wait]) => `${capitalize(other)} ${wait}`).join(', ');
      const says = `${capitalize(seat)}, who keeps bidding, speaks within ${pluralize(ticks, 'tick')} of talk`;
      return [
        later === '' ? `${says}.` : `${says} (${later}).`,
        'heard-as-promised',
        'It assumes a message in every tick, and that the talk goes on. The others wait at most as long as it says.',
      ];
    }
    case 'closing':
      return [
        `Voting closes within ${pluralize(promise.ticks, 'tick')} of talk.`,
        'talk-ends-as-promised',
        'It assumes nothing.',
      ];
    case 'ballots':
      return promise.isFinal
        ? [
            `None of the ${pluralize(promise.cast, 'ballot')} can change any more.`,
            'closed-poll-is-closed',
            'The poll is closed. It assumes nothing.',
          ]
        : [
            `${pluralize(promise.cast, 'vote')} can no longer change.`,
            'vote-lock',
            'Also if players leave.',
          ];
    case 'ejection': {
      const { can, cannot, isFinal } = promise;
      const says =
        can.length <= cannot.length
          ? `${can.length === 0 ? 'nobody' : `only ${listWords(can.map(capitalize))}`} can still be ejected.`
          : `${listWords(cannot.map(capitalize))} can no longer be ejected.`;
      return [
        isFinal ? capitalize(says) : `Unless somebody leaves, ${says}`,
        'out-of-reach-is-not-ejected',
        'All other ballots together are too few.',
      ];
    }
    case 'end':
      return [
        `The meeting ends in at most ${pluralize(promise.steps, 'step')}.`,
        'meeting-ends-as-promised',
        'A step closes a tick, counts the poll, turns a ballot, says the result or begins the reaction.',
      ];
    default:
      throw new Error(`no such promise: ${promise satisfies never}`);
  }
}
