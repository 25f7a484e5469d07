/**
 * Machines for the subjects of XState's documentation, each with a question and the expected answer.
 * `docs/machines.md` is their table.
 */
import {
  type AnyStateMachine,
  assign,
  cancel,
  type EventObject,
  emit,
  fromCallback,
  fromPromise,
  raise,
  sendTo,
  setup,
  stateIn,
  stopChild,
} from 'xstate';
import type { CheckResult } from '../check.ts';
import { always, assumeComes, eventually, leadsTo, never, sometimes } from '../claims.ts';
import { check, type MachineQuestion } from '../machine.ts';

type DocumentedMachine = {
  readonly about: readonly [subject: string, claim: string];
  readonly check: () => CheckResult<EventObject> & { readonly warnings: readonly string[] };
  /** The number of states and the reason for it, and the verdict or the code of the refusal. */
  readonly found: readonly [states: number, because: string, result: string];
};

function ask<M extends AnyStateMachine>(machine: M, question: MachineQuestion<M>) {
  return () => check(machine, { ...question, defaults: false });
}

const none = { events: [] as never[] };

function named<T extends string>(...types: readonly T[]): readonly { readonly type: T }[] {
  return types.map((type) => ({ type }));
}

const toggle = setup({ types: { events: {} as { type: 'toggle' } } }).createMachine({
  id: 'toggle',
  initial: 'inactive',
  states: { inactive: { on: { toggle: 'active' } }, active: { on: { toggle: 'inactive' } } },
});

const counter = setup({
  types: { context: {} as { count: number }, events: {} as { type: 'inc' } | { type: 'dec' } },
  guards: {
    isLow: ({ context }) => context.count < 10,
    isHigh: ({ context }) => context.count > 0,
  },
}).createMachine({
  id: 'counter',
  context: { count: 0 },
  on: {
    inc: { guard: 'isLow', actions: assign({ count: ({ context }) => context.count + 1 }) },
    dec: { guard: 'isHigh', actions: assign({ count: ({ context }) => context.count - 1 }) },
  },
});

const endless = setup({
  types: { context: {} as { count: number }, events: {} as { type: 'inc' } },
}).createMachine({
  id: 'endless',
  context: { count: 0 },
  on: { inc: { actions: assign({ count: ({ context }) => context.count + 1 }) } },
});

const mutating = setup({
  types: { context: {} as { items: string[] }, events: {} as { type: 'add'; item: string } },
}).createMachine({
  id: 'todo',
  context: () => ({ items: [] }),
  on: {
    add: {
      actions: assign(({ context, event }) => {
        context.items.push(event.item);
        return context;
      }),
    },
  },
});

const feedback = setup({
  types: {
    context: {} as { feedback: string },
    events: {} as
      | { type: 'feedback.good' | 'feedback.bad' | 'submit' | 'back' | 'close' | 'restart' }
      | { type: 'feedback.update'; value: string },
  },
  guards: { isWritten: ({ context }) => context.feedback.length > 0 },
}).createMachine({
  id: 'feedback',
  context: { feedback: '' },
  initial: 'prompt',
  on: { close: '.closed' },
  states: {
    prompt: { on: { 'feedback.good': 'thanks', 'feedback.bad': 'form' } },
    form: {
      on: {
        'feedback.update': { actions: assign({ feedback: ({ event }) => event.value }) },
        submit: { guard: 'isWritten', target: 'thanks' },
        back: 'prompt',
      },
    },
    thanks: {},
    closed: { on: { restart: { target: 'prompt', actions: assign({ feedback: '' }) } } },
  },
});

const trafficLight = setup({}).createMachine({
  id: 'light',
  initial: 'green',
  states: {
    green: { after: { 1000: 'yellow' } },
    yellow: { after: { 500: 'red' } },
    red: { after: { 1000: 'green' } },
  },
});

const fetchUser = fromPromise(() => Promise.resolve({ name: 'Ada' }));

const fetcher = setup({
  types: {
    context: {} as { user: { name: string } | null; error: unknown },
    events: {} as { type: 'FETCH' } | { type: 'RETRY' },
  },
  actors: { fetchUser },
}).createMachine({
  id: 'fetch',
  context: { user: null, error: null },
  initial: 'idle',
  states: {
    idle: { on: { FETCH: 'loading' } },
    loading: {
      invoke: {
        id: 'user',
        src: 'fetchUser',
        onDone: { target: 'success', actions: assign({ user: ({ event }) => event.output }) },
        onError: { target: 'failure', actions: assign({ error: ({ event }) => event.error }) },
      },
    },
    success: { type: 'final' },
    failure: { on: { RETRY: { target: 'loading', actions: assign({ error: null }) } } },
  },
});

const debounce = setup({
  types: { context: {} as { value: string }, events: {} as { type: 'type'; value: string } },
}).createMachine({
  id: 'debounce',
  context: { value: '' },
  initial: 'idle',
  states: {
    idle: { on: { type: 'waiting' } },
    waiting: {
      entry: assign({ value: ({ event }) => (event.type === 'type' ? event.value : '') }),
      on: { type: { target: 'waiting', reenter: true } },
      after: { 300: 'searched' },
    },
    searched: { on: { type: 'waiting' } },
  },
});

const wizard = setup({
  types: {
    context: {} as { name: string; accepted: boolean },
    events: {} as { type: 'next' | 'back' | 'accept' | 'send' } | { type: 'name'; value: string },
  },
  guards: {
    hasName: ({ context }) => context.name !== '',
    isAccepted: ({ context }) => context.accepted,
  },
}).createMachine({
  id: 'wizard',
  context: { name: '', accepted: false },
  initial: 'details',
  states: {
    details: {
      on: {
        name: { actions: assign({ name: ({ event }) => event.value }) },
        next: { guard: 'hasName', target: 'terms' },
      },
    },
    terms: {
      on: {
        accept: { actions: assign({ accepted: true }) },
        next: { guard: 'isAccepted', target: 'review' },
        back: 'details',
      },
    },
    review: { on: { back: 'terms', send: 'sent' } },
    sent: { type: 'final' },
  },
});

const ticker = fromCallback(() => {});

const stopwatch = setup({
  types: {
    context: {} as { elapsed: number },
    events: {} as { type: 'start' | 'stop' | 'reset' | 'TICK' },
  },
  actors: { ticker },
}).createMachine({
  id: 'stopwatch',
  context: { elapsed: 0 },
  initial: 'stopped',
  states: {
    stopped: { on: { start: 'running', reset: { actions: assign({ elapsed: 0 }) } } },
    running: {
      invoke: { id: 'ticker', src: 'ticker' },
      on: {
        TICK: {
          guard: ({ context }) => context.elapsed < 5,
          actions: assign({ elapsed: ({ context }) => context.elapsed + 1 }),
        },
        stop: 'stopped',
      },
    },
  },
});

const clocked = setup({
  types: { context: {} as { startedAt: number | null }, events: {} as { type: 'start' } },
}).createMachine({
  id: 'clocked',
  context: { startedAt: null },
  on: { start: { actions: assign({ startedAt: () => Date.now() }) } },
});

const word = setup({
  types: { events: {} as { type: 'bold' | 'italics' | 'underline' } },
}).createMachine({
  id: 'word',
  type: 'parallel',
  states: {
    bold: { initial: 'off', states: { off: { on: { bold: 'on' } }, on: { on: { bold: 'off' } } } },
    italics: {
      initial: 'off',
      states: { off: { on: { italics: 'on' } }, on: { on: { italics: 'off' } } },
    },
    underline: {
      initial: 'off',
      states: { off: { on: { underline: 'on' } }, on: { on: { underline: 'off' } } },
    },
  },
});

const player = setup({
  types: { events: {} as { type: 'next' | 'pause' | 'resume' } },
}).createMachine({
  id: 'player',
  initial: 'playing',
  states: {
    playing: {
      initial: 'first',
      states: {
        first: { on: { next: 'second' } },
        second: { on: { next: 'first' } },
        hist: { type: 'history' },
      },
      on: { pause: 'paused' },
    },
    paused: { on: { resume: 'playing.hist' } },
  },
});

const reminder = setup({
  types: { events: {} as { type: 'arm' | 'disarm' | 'ring' } },
}).createMachine({
  id: 'reminder',
  initial: 'off',
  states: {
    off: {
      on: {
        arm: { target: 'armed', actions: raise({ type: 'ring' }, { delay: 100, id: 'ring' }) },
      },
    },
    armed: { on: { disarm: { target: 'off', actions: cancel('ring') }, ring: 'rung' } },
    rung: { on: { disarm: 'off' } },
  },
});

const flood = setup({ types: { events: {} as { type: 'poke' | 'late' } } }).createMachine({
  id: 'flood',
  on: { poke: { actions: raise({ type: 'late' }, { delay: 100 }) }, late: {} },
});

const worker = fromCallback(() => {});

const pool = setup({
  types: {
    context: {} as { workers: readonly unknown[] },
    events: {} as { type: 'hire' } | { type: 'fire' },
  },
  actors: { worker },
}).createMachine({
  id: 'pool',
  context: { workers: [] },
  on: {
    hire: {
      guard: ({ context }) => context.workers.length < 3,
      actions: assign({
        workers: ({ context, spawn }) => [
          ...context.workers,
          spawn('worker', { id: `worker-${context.workers.length}` }),
        ],
      }),
    },
    fire: {
      guard: ({ context }) => context.workers.length > 0,
      actions: [
        stopChild(({ context }) => `worker-${context.workers.length - 1}`),
        assign({ workers: ({ context }) => context.workers.slice(0, -1) }),
      ],
    },
  },
});

const grades = setup({
  types: { context: {} as { points: number }, input: {} as { points: number } },
}).createMachine({
  id: 'grades',
  context: ({ input }) => ({ points: input.points }),
  initial: 'judging',
  states: {
    judging: {
      always: [{ guard: ({ context }) => context.points >= 50, target: 'passed' }, 'failed'],
    },
    passed: { type: 'final', tags: 'good' },
    failed: { type: 'final' },
  },
});

const raised = setup({
  types: { events: {} as { type: 'enter'; code: string } | { type: 'valid' | 'invalid' } },
}).createMachine({
  id: 'lock',
  initial: 'locked',
  states: {
    locked: {
      on: {
        enter: [
          { guard: ({ event }) => event.code === '42', actions: raise({ type: 'valid' }) },
          { actions: raise({ type: 'invalid' }) },
        ],
        valid: 'unlocked',
        invalid: 'alarm',
      },
    },
    unlocked: {},
    alarm: {},
  },
});

const coffee = setup({ types: { events: {} as { type: 'grind' | 'boil' } } }).createMachine({
  id: 'coffee',
  initial: 'preparing',
  states: {
    preparing: {
      type: 'parallel',
      states: {
        beans: {
          initial: 'whole',
          states: { whole: { on: { grind: 'ground' } }, ground: { type: 'final' } },
        },
        water: {
          initial: 'cold',
          states: { cold: { on: { boil: 'hot' } }, hot: { type: 'final' } },
        },
      },
      onDone: 'done',
    },
    done: { type: 'final' },
  },
});

const crossing = setup({
  types: { events: {} as { type: 'tick' }, tags: {} as 'stop' | 'go' },
}).createMachine({
  id: 'crossing',
  initial: 'green',
  states: {
    green: { tags: 'go', on: { tick: 'red' } },
    red: {
      tags: 'stop',
      initial: 'walk',
      states: {
        walk: { on: { tick: 'wait' } },
        wait: { on: { tick: 'over' } },
        over: { type: 'final' },
      },
      onDone: 'green',
    },
  },
});

const looping = setup({}).createMachine({
  id: 'loop',
  initial: 'a',
  states: { a: { always: 'b' }, b: { always: 'a' } },
});

const pinger = setup({
  types: { events: {} as { type: 'ping' | 'pong' }, emitted: {} as { type: 'sent' } },
  actors: { worker },
}).createMachine({
  id: 'pinger',
  invoke: { id: 'ponger', src: 'worker' },
  initial: 'idle',
  states: {
    idle: {
      on: {
        ping: {
          target: 'asked',
          actions: [sendTo('ponger', { type: 'ping' }), emit({ type: 'sent' })],
        },
      },
    },
    asked: { on: { pong: 'idle' } },
  },
});

const gate = setup({ types: { events: {} as { type: 'open' | 'alarm' } } }).createMachine({
  id: 'gate',
  type: 'parallel',
  states: {
    door: {
      initial: 'shut',
      states: {
        shut: { on: { open: { guard: stateIn({ siren: 'quiet' }) as never, target: 'open' } } },
        open: {},
      },
    },
    siren: { initial: 'quiet', states: { quiet: { on: { alarm: 'loud' } }, loud: {} } },
  },
});

export const DOCUMENTED: readonly DocumentedMachine[] = [
  {
    about: ['toggle', 'it is switched on in some state'],
    check: ask(toggle, {
      events: [{ type: 'toggle' }],
      properties: [sometimes('It is active.', ({ at }) => at === 'active')],
    }),
    found: [2, 'two states', 'proved'],
  },
  {
    about: ['counter (context, guards)', 'the count stays from 0 to 10'],
    check: ask(counter, {
      events: named('inc', 'dec'),
      properties: [always('In range.', ({ context: { count } }) => count >= 0 && count <= 10)],
    }),
    found: [11, '0 to 10', 'proved'],
  },
  {
    about: ['counter without an end', 'the count is never negative'],
    check: ask(endless, {
      events: [{ type: 'inc' }],
      budget: { states: 1000, seconds: 600 },
      properties: [never('It is negative.', ({ context }) => context.count < 0)],
    }),
    found: [1001, 'the budget of 1000, and the one that broke it', 'incomplete'],
  },
  {
    about: ['to-do list, changed in place', 'it stays empty'],
    check: ask(mutating, {
      events: [{ type: 'add', item: 'milk' }],
      properties: [always('It is empty.', ({ context }) => context.items.length === 0)],
    }),
    found: [1, 'the search ends there', 'machine/changes-its-context'],
  },
  {
    about: ['feedback form', 'nothing empty is submitted by the form'],
    check: ask(feedback, {
      events: [
        ...named('feedback.good', 'feedback.bad', 'submit', 'back', 'close', 'restart'),
        { type: 'feedback.update', value: 'hm' },
      ],
      properties: [
        {
          name: 'filled',
          sentence: 'What is submitted is filled in.',
          kind: 'step',
          when: ({ event, after }) => event.type === 'submit' && after.at === 'thanks',
          holds: ({ after }) => after.context.feedback !== '',
        },
      ],
    }),
    found: [8, 'four states, each with and without text', 'proved'],
  },
  {
    about: ['traffic light (after)', 'green always leads to red'],
    check: ask(trafficLight, {
      ...none,
      properties: [
        leadsTo(
          'It gets red.',
          ({ at }) => at === 'green',
          ({ at }) => at === 'red',
        ),
      ],
    }),
    found: [3, 'three lights', 'proved'],
  },
  {
    about: ['fetch (invoke a promise)', 'there is a user when it is done'],
    check: ask(fetcher, {
      events: named('FETCH', 'RETRY'),
      outcomes: { user: { done: [{ name: 'Ada' }], error: ['offline'] } },
      properties: [
        always('A user.', ({ at, context }) => at !== 'success' || context.user !== null),
      ],
    }),
    found: [4, 'idle, loading, success, failure', 'proved'],
  },
  {
    about: [
      'fetch, eventually',
      'it succeeds if the user fetches and retries: it may fail for ever',
    ],
    check: ask(fetcher, {
      events: named('FETCH', 'RETRY'),
      outcomes: { user: { done: [{ name: 'Ada' }], error: ['offline'] } },
      properties: [
        eventually('It succeeds.', ({ at }) => at === 'success', {
          fair: [assumeComes('FETCH'), assumeComes('RETRY')],
        }),
      ],
    }),
    found: [4, 'the same machine', 'violated'],
  },
  {
    about: ['debounce (reenter, after)', 'only what was typed is searched'],
    check: ask(debounce, {
      events: [
        { type: 'type', value: 'a' },
        { type: 'type', value: 'ab' },
      ],
      properties: [
        never(
          'Nothing is searched.',
          ({ at, context }) => at === 'searched' && context.value === '',
        ),
      ],
    }),
    found: [5, 'idle; two texts, waited for or searched', 'proved'],
  },
  {
    about: ['form wizard', 'nothing is sent without a name and consent'],
    check: ask(wizard, {
      events: [{ type: 'name', value: 'Ada' }, ...named('next', 'back', 'accept', 'send')],
      properties: [
        always(
          'Whole.',
          ({ at, context }) => at !== 'sent' || (context.name !== '' && context.accepted),
        ),
      ],
    }),
    found: [
      7,
      'details with nothing, a name, or both; terms with or without consent; review; sent',
      'proved',
    ],
  },
  {
    about: ['stopwatch (invoke a callback)', 'it counts up to 5'],
    check: ask(stopwatch, {
      events: named('start', 'stop', 'reset', 'TICK'),
      outcomes: { ticker: { error: [] } },
      properties: [always('At most 5.', ({ context }) => context.elapsed <= 5)],
    }),
    found: [12, '0 to 5, stopped or running', 'proved'],
  },
  {
    about: ['stopwatch that reads the clock', 'anything'],
    check: ask(clocked, {
      events: [{ type: 'start' }],
      properties: [always('It is.', () => true)],
    }),
    found: [1, 'the search ends there', 'machine/not-repeatable'],
  },
  {
    about: ['word processor (parallel)', 'bold and italics can be on together'],
    check: ask(word, {
      events: named('bold', 'italics', 'underline'),
      properties: [
        sometimes('Both.', ({ at }) => at.includes('bold.on') && at.includes('italics.on')),
      ],
    }),
    found: [8, '2 to the third', 'proved'],
  },
  {
    about: ['player (history)', 'it resumes what was paused'],
    check: ask(player, {
      events: named('next', 'pause', 'resume'),
      properties: [sometimes('Second.', ({ at }) => at === 'playing.second')],
    }),
    found: [
      8,
      'two tracks before a pause; paused in two; after that two tracks with two memories',
      'proved',
    ],
  },
  {
    about: ['reminder (delayed raise, cancel)', 'it never rings when it is off'],
    check: ask(reminder, {
      events: named('arm', 'disarm'),
      properties: [
        {
          name: 'quiet',
          sentence: 'No ring comes when it is off.',
          kind: 'step',
          when: ({ event }) => event.type === 'ring',
          holds: ({ before }) => before.at === 'armed',
        },
      ],
    }),
    found: [3, 'off, armed, rung', 'proved'],
  },
  {
    about: ['delayed raise without an end', 'anything'],
    check: ask(flood, { events: [{ type: 'poke' }], properties: [always('It is.', () => true)] }),
    found: [33, '0 to 32 timers', 'machine/unbounded-timers'],
  },
  {
    about: ['pool (spawn, stopChild)', 'as many workers run as are in the context'],
    check: ask(pool, {
      events: named('hire', 'fire'),
      outcomes: Object.fromEntries([0, 1, 2].map((id) => [`worker-${id}`, { error: [] }])),
      properties: [
        always('As many.', ({ context, children }) => context.workers.length === children.length),
      ],
    }),
    found: [4, '0 to 3 workers', 'proved'],
  },
  {
    about: ['grades (always, input, tags)', '50 points are a pass'],
    check: ask(grades, {
      ...none,
      input: { points: 50 },
      properties: [always('Passed.', ({ tags, isDone }) => tags.has('good') && isDone)],
    }),
    found: [1, 'it ends at once', 'proved'],
  },
  {
    about: ['lock (raise)', 'no wrong code unlocks'],
    check: ask(raised, {
      events: [
        { type: 'enter', code: '42' },
        { type: 'enter', code: '0' },
      ],
      properties: [
        {
          name: 'code',
          sentence: 'Only 42 unlocks.',
          kind: 'step',
          when: ({ after }) => after.at === 'unlocked',
          holds: ({ event }) => event.type === 'enter' && event.code === '42',
        },
      ],
    }),
    found: [3, 'locked, unlocked, alarm', 'proved'],
  },
  {
    about: ['coffee (parallel, final, onDone)', 'it is done if beans are ground and water boils'],
    check: ask(coffee, {
      events: named('grind', 'boil'),
      properties: [
        eventually('Done.', ({ isDone }) => isDone, {
          fair: [assumeComes('grind'), assumeComes('boil')],
        }),
      ],
    }),
    found: [4, 'both to do, either done, done', 'proved'],
  },
  {
    about: ['crossing (nested states, tags)', 'it never stops and goes at once'],
    check: ask(crossing, {
      events: [{ type: 'tick' }],
      properties: [never('Both.', ({ tags }) => tags.has('stop') && tags.has('go'))],
    }),
    found: [3, 'green, walk, wait', 'proved'],
  },
  {
    about: ['always without an end', 'anything'],
    check: ask(looping, { ...none, properties: [always('It is.', () => true)] }),
    found: [0, 'the first step never ends', 'machine/endless-step'],
  },
  {
    about: ['ping and pong (sendTo, emit)', 'who pings has asked'],
    check: ask(pinger, {
      events: named('ping', 'pong'),
      outcomes: { ponger: { error: [] } },
      properties: [
        {
          name: 'asks',
          sentence: 'A ping is sent to the ponger.',
          kind: 'step',
          when: ({ event }) => event.type === 'ping',
          holds: ({ effects }) =>
            effects.some(
              ({ type, params }) =>
                type === 'xstate.sendTo' &&
                typeof params === 'object' &&
                params !== null &&
                Reflect.get(params, 'to') === 'ponger',
            ),
        },
      ],
    }),
    found: [2, 'idle, asked', 'proved'],
  },
  {
    about: [
      'gate (stateIn)',
      'it is never open while the siren is loud: the siren may start later',
    ],
    check: ask(gate, {
      events: named('open', 'alarm'),
      properties: [never('Open and loud.', ({ at }) => at === 'door.open & siren.loud')],
    }),
    found: [4, '2 times 2', 'violated'],
  },
];
