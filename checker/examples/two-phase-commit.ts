/** Two-phase commit with two participants. Run it: node checker/examples/two-phase-commit.ts */

import { check, type Model, type Property, renderReport, type State } from 'glass-box-checker';
import { and, createMachine, or, stateIn } from 'xstate';

/** "yes.one": participant one votes yes; "hear.one": participant one hears the decision. */
type Message = { readonly type: string };
const NAMES = ['one', 'two'] as const;
const are = (where: string) => NAMES.map((name) => stateIn({ [name]: where }));
function participant(name: string) {
  const hear = [
    { guard: stateIn({ coordinator: 'committing' }), target: 'committed' },
    { guard: stateIn({ coordinator: 'aborting' }), target: 'aborted' },
  ];
  return {
    initial: 'working',
    states: {
      working: { on: { [`yes.${name}`]: 'prepared', [`no.${name}`]: 'aborted' } },
      ...{ prepared: { on: { [`hear.${name}`]: hear } }, committed: {}, aborted: {} },
    },
  };
}

const decide = [
  { guard: and(are('prepared')), target: 'committing' },
  { guard: or(are('aborted')), target: 'aborting' },
];
const machine = createMachine({
  id: 'commit',
  type: 'parallel',
  states: {
    coordinator: {
      initial: 'asking',
      states: {
        asking: { on: { decide, crash: 'gone' } },
        ...{ committing: { on: { crash: 'gone' } }, aborting: { on: { crash: 'gone' } }, gone: {} },
      },
    },
    ...{ one: participant('one'), two: participant('two') },
  },
});

const is = (name: string, where: string) => (state: State<unknown>) =>
  state.at.includes(`${name}.${where}`);
/** The messages that may arrive now. A crashed coordinator sends nothing. */
function messages(state: State<unknown>, mayCrash: boolean): readonly Message[] {
  const isAsking = is('coordinator', 'asking')(state);
  const isGone = is('coordinator', 'gone')(state);
  const told = NAMES.flatMap((name) => {
    if (is(name, 'working')(state)) return [`yes.${name}`, `no.${name}`];
    return is(name, 'prepared')(state) && !isAsking && !isGone ? [`hear.${name}`] : [];
  });
  if (isAsking && !state.at.includes('working')) told.push('decide');
  if (mayCrash && !isGone) told.push('crash');
  return told.map((type) => ({ type }));
}

const agreement: Property<unknown, Message> = {
  name: 'agreement',
  sentence: 'No participant commits while another one aborts.',
  kind: 'never',
  holds: ({ at }) => at.includes('.committed') && at.includes('.aborted'),
};
const isTold: Property<unknown, Message> = {
  name: 'is-informed',
  sentence: 'Once prepared, participant one eventually learns the decision.',
  kind: 'leads-to',
  from: is('one', 'prepared'),
  holds: (state) => is('one', 'committed')(state) || is('one', 'aborted')(state),
};
export function commit(mayCrash: boolean): Model<unknown, Message> {
  const name = mayCrash ? 'two-phase commit with a crash' : 'two-phase commit';
  const world = (state: State<unknown>) => messages(state, mayCrash);
  return { name, machine, world, properties: [agreement, isTold] };
}

if (import.meta.main) {
  for (const mayCrash of [false, true]) console.log(`${renderReport(check(commit(mayCrash)))}\n`);
}
