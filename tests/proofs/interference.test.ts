/**
 * Secrets: what ghosts say, what players think and who is who, asked of two copies of a whole meeting that get the
 * same public inputs. The charts, the letters, the bid stream and the lenses are those that run.
 */

import { checkInterference, type Interference } from 'glass-box-checker';
import { describe, expect, test } from 'vitest';
import { modelBidStream } from '../../actors/engine/bids.ts';
import type { GalleryContext } from '../../machines/charts/gallery.ts';
import { GALLERY, MEETING, playerId } from '../../machines/messages.ts';
import type { Table } from '../../machines/rules/meeting.ts';
import type { Colour } from '../../machines/types.ts';
import { checkSecret, checkTogether } from '../../proofs/checks/extraChecks.ts';
import { classicTable, houseTable } from '../../proofs/models/meeting.ts';
import type {
  MeetingSystem,
  SystemInput,
  SystemObservation,
  SystemStep,
} from '../../proofs/models/meetingSystem.ts';
import {
  actorState,
  composeGhosts,
  composeRoles,
  composeThoughts,
  GHOST_CHAT,
  listThinking,
} from '../../proofs/models/secrets.ts';
import { testLong } from '../support/seeds.ts';
import { aCompany, leaking, shown, withBooks } from './room.ts';

function sideBySide({ leak }: Interference<SystemInput>): readonly string[] {
  const word = (input: SystemInput | null) => {
    if (input === null) return '-';
    if (input.type !== 'answer') return input.type;
    return `${input.bid.seat} ${input.bid.type === 'reply' ? input.bid.reply.message : ''}`.trim();
  };
  return (leak?.bars ?? []).map(({ left, right }) => `${word(left)} | ${word(right)}`);
}

describe('ruling 36: ghosts', () => {
  testLong('silent, chatting or late: nothing changes for the living', () => {
    const seen = new Set<string>();
    const system = leaking(aCompany(), (_, { state, observations }) => {
      shown(observations, seen);
      return state;
    });
    const found = checkInterference(composeGhosts(system));
    expect(found).toMatchObject({ verdict: 'proved', why: null, leak: null });
    expect(found.secrets).toBeGreaterThan(1000);
    for (const observation of ['ghosts: silent', 'ghosts: chat', 'ghosts: late', 'ejected']) {
      expect(seen).toContain(observation);
    }
  });

  testLong('nothing changes for the living if a player leaves at any moment, either', () => {
    const ghosts = composeGhosts(aCompany({ options: { maxTicks: 1 } }));
    const leave = { type: 'leave', seat: 'blue' } as const;
    const found = checkInterference({
      ...ghosts,
      inputs: (left, right) => {
        const ways = ghosts.inputs(left, right);
        return ways.length === 0 ? [] : [...ways, { left: leave, right: leave }];
      },
    });
    expect(found).toMatchObject({ verdict: 'proved', leak: null });
  });

  test('a budget that ends the search is no proof', () => {
    const found = checkInterference(composeGhosts(aCompany()), {
      budget: { states: 200, seconds: 30 },
    });
    expect(found).toMatchObject({ verdict: 'incomplete', why: 'the budget of 200 states' });
  });

  const options = { maxTicks: 3, tokenTarget: 100 };
  const nothing = () => null;
  const said = (observations: readonly SystemObservation[]) =>
    observations.some(
      (observation) =>
        observation.type === 'murmured' &&
        observation.fact.type === 'turn.closed' &&
        observation.fact.said !== null,
    );

  const hit = { seat: 'red', kind: 'mention', word: 'red', reason: 'a ghost said it' } as const;
  test.each<[string, Parameters<typeof withBooks>[1], string]>([
    [
      'counts in the budget of the nudge',
      (floor) => ({ ...floor, tokens: floor.tokens + 100 }),
      'nudge',
    ],
    [
      'is scanned for mentions',
      (floor) => ({ ...floor, heard: [{ tick: floor.tick, hits: [hit] }] }),
      'mention',
    ],
  ])('planted: their chat %s', (_, change, where) => {
    const system = leaking(aCompany({ options }), (__, { state, observations }) =>
      said(observations) ? withBooks(state, change) : state,
    );
    const found = checkInterference({ ...composeGhosts(system), look: nothing });
    expect(found.verdict).toBe('violated');
    expect(found.leak?.at).toContain(where);
    expect(sideBySide(found)).toContain(`- | pink ${GHOST_CHAT[1]?.message}`);
  });

  test('planted: the gallery draws from the dice of the table', () => {
    const drawn = { type: 'time.called', tick: -1 } as const; // a mark among the messages: no tick has this number
    const system = leaking(
      aCompany({
        options,
        bids: (bidMessages, { seed, meeting }) => {
          const draws = bidMessages.filter(
            ({ type, ...rest }) => 'tick' in rest && rest.tick === -1,
          );
          return modelBidStream(bidMessages, { seed: seed + draws.length, meeting });
        },
      }),
      (_, { state, observations }) =>
        observations.some(({ type }) => type === 'murmured')
          ? { ...state, bidMessages: [...state.bidMessages, drawn] }
          : state,
    );
    const found = checkInterference({ ...composeGhosts(system), look: nothing });
    expect(found.verdict).toBe('violated');
    expect(found.leak?.at).toContain('dice');
  });

  test('planted: the tick waits for slow ghosts', () => {
    const { start: begin, step: perform } = aCompany({ options });
    const waiting: MeetingSystem = {
      start: begin,
      step: (state, input) =>
        input.type === 'answer' &&
        input.to === 'table' &&
        listThinking(state, 'chatting').length > 0
          ? { state, observations: [] }
          : perform(state, input),
    };
    const found = checkInterference({
      ...composeGhosts(waiting),
      look: (state) => listThinking(state),
    });
    expect(found.verdict).toBe('violated');
  });
});

describe('ruling 36: thoughts', () => {
  const budget = { states: 6000, seconds: 30 };

  testLong('and scratchpads reach nobody else, neither the living nor ghosts', () => {
    const found = checkInterference(composeThoughts(aCompany()));
    expect(found).toMatchObject({ verdict: 'proved', leak: null });
    expect(found.secrets).toBeGreaterThan(10);
  });

  test('planted: a thought gets into the transcript', () => {
    const system = leaking(aCompany(), (_, { state, observations }) => {
      const thought = observations.flatMap((observation) =>
        observation.type === 'told' && observation.fact.type === 'tick.closed'
          ? observation.fact.bids.flatMap((bid) =>
              bid.type === 'reply' ? [bid.reply.thought] : [],
            )
          : [],
      );
      if (thought.join('') === '') return state;
      return withBooks(state, (floor) => ({
        ...floor,
        transcript: floor.transcript.map((line) => ({ ...line, message: thought.join('') })),
      }));
    });
    const found = checkInterference({ ...composeThoughts(system), look: () => null }, { budget });
    expect(found.verdict).toBe('violated');
    expect(found.leak?.at).toMatch(/transcript.*message$/);
  });
});

describe('roles', () => {
  const cast = (impostors: readonly Colour[], confirmEjects: boolean) =>
    aCompany({ impostors, options: { confirmEjects } });
  const pair = (confirmEjects: boolean) =>
    [cast(['green'], confirmEjects), cast(['blue'], confirmEjects)] as const;

  test('roles stay hidden from a crewmate if ejections are not confirmed', () => {
    const found = checkInterference(composeRoles('red', pair(false), false));
    expect(found).toMatchObject({ verdict: 'proved', leak: null });
  });

  test('confirmed ejections reveal no role before somebody is ejected', () => {
    const found = checkInterference(composeRoles('red', pair(true), true));
    expect(found.verdict).toBe('proved');
    expect(found.released).toBeGreaterThan(0);
  });

  test('the two exceptions: a confirmed ejection, and partners', () => {
    const confirmed = checkInterference(composeRoles('red', pair(true), false));
    expect(confirmed.verdict).toBe('violated');
    expect(confirmed.leak?.at).toContain('sentence');
    const partners = [cast(['red', 'blue'], false), cast(['red', 'green'], false)] as const;
    expect(checkInterference(composeRoles('red', partners, false)).leak?.at).toContain('partners');
  });
});

describe('ballots', () => {
  const ballots = { budget: { states: 5_000, seconds: Infinity }, now: () => 0 };

  test('whom a ballot names stays hidden until it is turned, in both rule sets', () => {
    for (const { options } of [houseTable(), classicTable()]) {
      const { verdict } = checkSecret('ballots-do-not-interfere', options, ballots);
      expect(verdict.verdict.type).toBe('proved');
    }
  });

  test('planted: the votes for blue count for the nudge', () => {
    const telling = (system: MeetingSystem): MeetingSystem =>
      leaking(system, (_, { state }) => {
        const { context } = actorState<Table>(state, MEETING);
        const votes = Object.values(context.ballots).filter((ballot) => ballot === 'blue').length;
        return withBooks(state, (floor) => ({ ...floor, tokens: floor.tokens + votes }));
      });
    const { verdict } = checkSecret(
      'ballots-do-not-interfere',
      houseTable().options,
      ballots,
      telling,
    );
    expect(verdict.verdict.type).toBe('violated');
  });
});

describe('the actors of a meeting, explored together', () => {
  const RED = playerId('red');
  const options = { budget: { states: 5_000, seconds: Infinity }, now: () => 0 };

  test('what each of them knows agrees after every message', () => {
    const { verdict, aside } = checkTogether(houseTable().options, options);
    expect(verdict.verdict.type).toBe('proved');
    expect(aside.states).toBeGreaterThan(1_000);
  });

  test('a player who does not hear that their answer was taken is found', () => {
    const deaf = (system: MeetingSystem): MeetingSystem => ({
      ...system,
      step: (before, input) => {
        const { state, observations } = system.step(before, input);
        const { [RED]: red } = before.actors;
        const actors = red === undefined ? state.actors : { ...state.actors, [RED]: red };
        return { state: { ...state, actors }, observations };
      },
    });
    const { verdict } = checkTogether(houseTable().options, options, deaf);
    expect(verdict.verdict.type).toBe('violated');
    expect(verdict.shown?.note).toMatch(/^There this does not hold: \w/);
    expect(verdict.shown?.steps.length).toBeGreaterThan(0);
  });

  const planted = (change: (step: SystemStep) => SystemStep) => {
    const changed = ({ start: begin, step: perform }: MeetingSystem): MeetingSystem => ({
      start: begin,
      step: (before, input) => change(perform(before, input)),
    });
    return checkTogether(houseTable().options, options, changed).verdict.shown?.note;
  };

  test('ghosts who see the table without its last message are found', () => {
    const note = planted(({ state, observations }) => {
      const rest = actorState<GalleryContext>(state, GALLERY);
      const waiting = rest.context.waiting.map((glimpse) => {
        return { ...glimpse, transcript: glimpse.transcript.slice(0, -1) };
      });
      const gallery = { ...rest, context: { ...rest.context, waiting } };
      return { state: { ...state, actors: { ...state.actors, [GALLERY]: gallery } }, observations };
    });
    expect(note).toContain('the ghosts see the table as it is');
  });

  test('a player who is asked about an older transcript is found', () => {
    const note = planted(({ state, observations }) => ({
      state,
      observations: observations.map((one) => {
        if (one.type !== 'asked' || one.request.kind !== 'discussion') return one;
        const { view } = one.request;
        const table = { ...view.table, transcript: [] };
        return { ...one, request: { ...one.request, view: { ...view, table } } };
      }),
    }));
    expect(note).toContain('A player who is asked');
  });

  test('a journal without a vote is found', () => {
    const note = planted(({ state, observations }) => ({
      state,
      observations: observations.filter(
        (one) => one.type !== 'told' || one.fact.type !== 'vote.locked',
      ),
    }));
    expect(note).toContain('The journal says what the table says');
  });
});
