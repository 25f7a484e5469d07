/**
 * Properties: all that is promised about a meeting, as sentences that a player could dispute.
 *
 * Plain data: a sentence, its kind, and what to look at. Which promises there are depends on what the world may do: a
 * promise about faults says nothing where nobody fails, and would only be vacuous.
 */

import { ballotsAskedAfter, type MeetingSetup } from '../../machines/rules/meeting.ts';
import type { Knobs } from '../models/world.ts';
import { ballotPromises, clearingPromise } from './ballots.ts';
import { ejectionPromise } from './ejection.ts';
import { endingPromises, lastingPromises } from './ending.ts';
import { floorPromises, silencePromise } from './floor.ts';
import { leavingPromises, messagePromises } from './messages.ts';
import { pollPromises } from './poll.ts';
import {
  departurePromises,
  disconnectionPromise,
  faultPromises,
  presencePromises,
} from './presence.ts';
import type { MeetingPromise } from './promise.ts';
import { limitPromise, pausePromise, stopPromises } from './stops.ts';
import { witnesses } from './witnesses.ts';

/** Promises that speak only of faults. */
const ABOUT_FAULTS = ['fault-never-votes'];
/** Promises that speak only of those who are gone. */
const ABOUT_THE_GONE = ['gone-never-vote'];
/** Promises that speak only of talk before votes are open. */
const ABOUT_EARLY_VOTES = ['no-early-vote'];
const ABOUT_CLASSIC = ['only-the-living-count-in-classic'];

/** The promises about a meeting that begins like this, in a world that may do so much. */
export function meetingPromises(setting: MeetingSetup, knobs: Knobs): readonly MeetingPromise[] {
  const { options, standings } = setting;
  const isClassic = options.rules === 'classic';
  const canLeave = knobs.departures > 0;
  const canBeGone = canLeave || Object.values(standings).some((standing) => standing !== 'living');
  const silenced = [
    ...(knobs.faults || canLeave ? [] : ABOUT_FAULTS),
    ...(canBeGone ? [] : ABOUT_THE_GONE),
    ...(isClassic && ballotsAskedAfter(options) !== 0 ? [] : ABOUT_EARLY_VOTES),
    ...(isClassic ? [] : ABOUT_CLASSIC),
  ];
  const promises: readonly MeetingPromise[] = [
    ...ballotPromises,
    ...(isClassic && canLeave ? [clearingPromise] : []),
    ...floorPromises,
    ...(canBeGone ? [silencePromise] : []),
    ...presencePromises,
    ...departurePromises,
    ...(knobs.faults ? faultPromises : []),
    ...(knobs.faults && canLeave ? [disconnectionPromise] : []),
    ...pollPromises,
    ejectionPromise,
    ...messagePromises,
    ...(canLeave ? leavingPromises : []),
    ...(knobs.stops ? stopPromises : []),
    ...(knobs.stops && options.beatMs > 0 ? [pausePromise] : []),
    ...(options.maxTicks === null ? [] : [limitPromise]),
    ...endingPromises,
    ...witnesses(setting, knobs),
    ...lastingPromises(options),
  ];
  return promises.filter(({ name }) => !silenced.includes(name));
}
