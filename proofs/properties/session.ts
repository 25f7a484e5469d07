/** Properties of the chart around a meeting: the actors it starts, its messages to them, and its end. */

import { assumeComes, type Property } from 'glass-box-checker';
import type { MeetingOutput } from '../../machines/charts/meeting.ts';
import type { MeetingSessionInput } from '../../machines/charts/meetingSession.ts';
import { GALLERY, MEETING, playerId } from '../../machines/messages.ts';
import { COLOURS } from '../../machines/types.ts';
import { allHold, declareProperties, paramsOf, sortFields } from './property.ts';

export type SessionContext = MeetingSessionInput & { readonly result: MeetingOutput | null };
export type SessionEvent =
  | { readonly type: 'xstate.done.actor.meeting'; readonly output: MeetingOutput }
  | { readonly type: 'xstate.done.actor.gallery' };

/** The actors that a session starts, by their names, with what they are given. */
export function listChildren({ setting, players, ghostBudget }: MeetingSessionInput) {
  const { chance, standings, options } = setting;
  const { deadlineMs, messageTokens } = options;
  const dead = COLOURS.filter((colour) => standings[colour] === 'dead');
  const ghosts = ghostBudget === null ? [] : dead;
  return {
    [GALLERY]: { chance, ghosts, budget: ghostBudget ?? 0, deadlineMs, messageTokens },
    [MEETING]: setting,
    ...Object.fromEntries(players.map((input) => [playerId(input.colour), input])),
  };
}

export const sessionProperties = declareProperties<Property<SessionContext, SessionEvent>>({
  'everybody-is-seated': {
    sentence:
      'A session starts its own players, the meeting, and the gallery with the dead, each once.',
    kind: 'start',
    holds: ({ state, effects }) => {
      const started = paramsOf<{ id: string; input: unknown }>(effects, 'xstate.spawnChild');
      const given = Object.fromEntries(started.map(({ id, input }) => [id, input]));
      const expected = listChildren(state.context);
      return allHold({
        'the children': [sortFields(given), sortFields(expected)],
        'their number': [started.length, Object.keys(expected).length],
        'the state': [state.at, 'meeting'],
      });
    },
  },
  'everybody-stays': {
    sentence: 'Players and gallery stay until the session is over.',
    kind: 'always',
    holds: ({ isDone, children, context }) =>
      isDone ||
      Object.keys(listChildren(context)).every((id) => id === MEETING || children.includes(id)),
  },
  'the-gallery-hears-the-end': {
    sentence:
      'The session keeps the result of the meeting, tells the gallery once, and is over with that result when the gallery is.',
    holds: ({ before, event, after, effects }) => {
      const isResult = event.type === 'xstate.done.actor.meeting';
      const result = isResult ? event.output : before.context.result;
      const sent = { to: GALLERY, event: { type: 'meeting.over' } };
      return allHold({
        'the result': [after.context, { ...before.context, result }],
        'the messages': [paramsOf(effects, 'xstate.sendTo'), isResult ? [sent] : []],
        'the output': [paramsOf(effects, 'xstate.output'), after.isDone ? [result] : []],
        'the state': [after.at, isResult ? 'closingGallery' : 'over'],
        'who is started': [paramsOf(effects, 'xstate.spawnChild'), []],
      });
    },
  },
  'the-session-ends': {
    sentence: 'If the meeting and then the gallery end, the session is over.',
    kind: 'eventually',
    holds: ({ isDone }) => isDone,
    fair: [assumeComes('xstate.done.actor.meeting'), assumeComes('xstate.done.actor.gallery')],
  },
  'the-session-is-never-stuck': {
    sentence: 'The session never gets stuck.',
    kind: 'deadlock-free',
  },
});
