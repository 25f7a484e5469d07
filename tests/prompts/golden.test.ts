import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { askBelief, type BeliefQuestion } from '../../machines/rules/beliefs.ts';
import type { AnnouncedResult, WorldTruth } from '../../machines/rules/record.ts';
import type { ActionView } from '../../machines/rules/ship/views.ts';
import type { GhostView, LivingView } from '../../machines/rules/views.ts';
import { REMINDER } from '../../machines/rules/weights.ts';
import { type BeliefMoment, LEVELS } from '../../machines/types.ts';
import { joinBlocks } from '../../prompts/block.ts';
import type { Identity } from '../../prompts/personas.ts';
import { buildPrompt, type Prompt, type PromptRequest } from '../../prompts/prompt.ts';
import { expectGolden } from '../support/golden.ts';
import {
  anIdentity,
  aReflection,
  aTableView,
  crewMoment,
  crewView,
  ghostView,
  impostorMoment,
  impostorView,
  NUDGED,
  TOLD,
} from './views.ts';

const FOLDER = fileURLToPath(new URL('../golden/', import.meta.url));

const CLASSIC = {
  rules: 'classic',
  votesOpen: false,
  clock: { openAfter: 4, closeAfter: 28 },
  seats: aTableView().seats.map((seat) => ({ ...seat, voted: false })),
} as const;
const AFTER = { tick: 21, announced: TOLD, transcript: NUDGED } as const;
const TIE: AnnouncedResult = {
  outcome: 'tie',
  ejected: null,
  role: null,
  remaining: 2,
  sentence: 'No one was ejected. (Tie) 2 Impostors remain.',
  ballots: TOLD.ballots.map((one) => (one.voter === 'pink' ? { ...one, ballot: 'blue' } : one)),
};
const CRISIS = {
  system: 'reactor',
  seconds: 17.5,
  consoles: ['Reactor', 'Reactor'],
  done: [],
} as const;
const TRUTH = ghostView().truth;

const KILL = { type: 'kill', by: 'red', victim: 'white', place: 'Electrical' } as const;
const WORLD: WorldTruth = {
  places: { red: 'Electrical', blue: 'Storage', green: 'Electrical', pink: 'MedBay' },
  tasks: { blue: { done: 3, of: 7 }, green: { done: 7, of: 7 } },
  impostors: {
    red: { wait: 22.5, hidden: false, faking: false },
    pink: { wait: 0, hidden: true, faking: false },
  },
  crisis: { system: 'reactor', seconds: 12.5 },
  sabotageWait: 10,
  shut: ['Storage'],
  deeds: [
    { type: 'fake', by: 'pink', place: 'Admin', meeting: 1, ago: 40, at: 20 },
    { type: 'sabotage', by: 'red', system: 'lights', meeting: 1, ago: 35, at: 25 },
    { type: 'shut', by: 'red', room: 'Storage', meeting: 1, ago: 30, at: 30 },
    { type: 'vent', by: 'pink', how: 'in', place: 'Admin', meeting: 1, ago: 25, at: 35 },
    { ...KILL, meeting: 1, ago: 20, at: 40 },
  ],
};

const FIRST = { tick: 0, transcript: [], seats: CLASSIC.seats } as const;

function aBelief(moment: BeliefMoment, view: LivingView): BeliefQuestion {
  const tick = moment === 'tick' ? view.table.tick - 1 : null;
  const question = askBelief({ meeting: 1, moment, tick }, view);
  if (question === null) throw new Error('expected other living players in this view');
  return question;
}

type Case = readonly [name: string, asked: PromptRequest, identity?: Partial<Identity>];

const talk = (view: LivingView) => ({ kind: 'discussion', view }) as const;
const haunt = (view: GhostView) => ({ kind: 'ghost', view }) as const;
const act = (view: ActionView) => ({ kind: 'action', view }) as const;

const CASES: readonly Case[] = [
  ...LEVELS.flatMap((level): Case[] => [
    [`discussion-crewmate-${level}`, talk(crewView()), { level }],
    [`discussion-impostor-${level}`, talk(impostorView()), { level }],
  ]),
  [
    'discussion-first-tick',
    talk(
      crewView({
        you: { pads: { main: '', meeting: '' } },
        table: { tick: 0, transcript: [], seats: CLASSIC.seats },
      }),
    ),
  ],
  ['discussion-called-on', talk(crewView({ calledOn: true, reminder: REMINDER }))],
  ['discussion-nudged', talk(crewView({ table: { tick: 20, transcript: NUDGED } }))],
  [
    'discussion-voted',
    talk(
      impostorView({
        you: {
          ballot: 'blue',
          notices: [
            { code: 'vote/locked', text: 'your vote for blue is locked and cannot change' },
          ],
        },
        table: { tick: 20, transcript: NUDGED },
      }),
    ),
  ],
  [
    'discussion-learned',
    talk(crewView()),
    { learned: ['Ask for a path before you ask for a reason.', 'Who votes first is often safe.'] },
  ],
  ['discussion-classic', talk(crewView({ table: CLASSIC }))],
  [
    'voting-classic-crewmate',
    { kind: 'voting', view: crewView({ table: { ...CLASSIC, votesOpen: true, tick: 6 } }) },
  ],
  [
    'voting-classic-impostor',
    { kind: 'voting', view: impostorView({ table: { ...CLASSIC, votesOpen: true, tick: 6 } }) },
    { level: 'advanced' },
  ],
  ['reaction-crewmate', { kind: 'reaction', view: crewView({ table: AFTER }) }],
  [
    'reaction-impostor-tie',
    { kind: 'reaction', view: impostorView({ table: { ...AFTER, announced: TIE } }) },
  ],
  ['consolidation-crewmate', { kind: 'consolidation', view: crewView({ table: AFTER }) }],
  ['ghost-chat', haunt(ghostView({ truth: { ...TRUTH, world: WORLD } }))],
  [
    'ghost-reaction',
    haunt(ghostView({ requestKind: 'reaction', truth: { ...TRUTH, announced: TOLD } })),
  ],
  [
    'ghost-consolidation',
    haunt(ghostView({ requestKind: 'consolidation', truth: { ...TRUTH, announced: TOLD } })),
  ],
  ['action-crewmate', act(crewMoment())],
  [
    'action-crewmate-body',
    act(crewMoment({ scene: { why: ['body'], bodies: [{ victim: 'white', place: 'Storage' }] } })),
  ],
  [
    'action-crewmate-crisis',
    act(crewMoment({ scene: { why: ['alarm'], crisis: CRISIS, shut: ['Cafeteria'] } })),
  ],
  [
    'action-crewmate-ghost',
    act(crewMoment({ you: { isGhost: true }, truth: { seats: TRUTH.seats, world: WORLD } })),
  ],
  [
    'action-impostor-ghost',
    act(
      impostorMoment({
        you: { isGhost: true },
        scene: { why: ['done'], killWait: 20 },
        truth: { seats: TRUTH.seats, world: WORLD },
      }),
    ),
  ],
  ['action-impostor', act(impostorMoment()), { level: 'advanced' }],
  [
    'action-impostor-vent',
    act(impostorMoment({ scene: { why: ['done'], vent: 3, here: [], company: [] } })),
  ],
  ['beliefs/crewmate-call', { kind: 'belief', ...aBelief('call', crewView({ table: FIRST })) }],
  ['beliefs/crewmate-tick', { kind: 'belief', ...aBelief('tick', crewView()) }],
  ['beliefs/impostor-vote', { kind: 'belief', ...aBelief('vote', impostorView()) }],
  ['reflection-crewmate', { kind: 'reflection', view: aReflection('crewmate') }],
  ['reflection-impostor', { kind: 'reflection', view: aReflection('impostor') }],
];

function shown({ system, user, schema, schemaName, maxTokens }: Prompt): string {
  const kept = user.filter(({ stable }) => stable);
  const fresh = user.filter(({ stable }) => !stable);
  return [
    '===== system: shared',
    joinBlocks(system),
    '===== user: the same in the next request of this player',
    joinBlocks(kept),
    '===== user: this request alone',
    joinBlocks(fresh),
    `===== reply: ${schemaName}, at most ${maxTokens} tokens`,
    JSON.stringify(schema),
    '',
  ].join('\n');
}

describe('the prompt', () => {
  test.each(CASES.map(([name, asked, identity]) => ({ name, asked, identity })))(
    '$name reads as it was reviewed',
    ({ name, asked, identity }) => {
      const text = shown(buildPrompt(asked, anIdentity(identity)));
      expectGolden(`tests/golden/${name}.txt`, text);
    },
  );

  test('every golden prompt is one of these', () => {
    const names = CASES.map(([name]) => `${name}.txt`).toSorted();
    expect(globSync('**/*.txt', { cwd: FOLDER }).toSorted()).toEqual(names);
  });
});
