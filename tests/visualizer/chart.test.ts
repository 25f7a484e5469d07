import { expect, test } from 'vitest';
import { and, assign, fromPromise, not, or, raise, setup } from 'xstate';
import { findEdgeIds, readChart } from '../../visualizer/charts/chart.ts';
import { layOutChart } from '../../visualizer/charts/chartLayout.ts';
import { drawChart } from '../../visualizer/charts/chartSvg.ts';
import { writeMermaid } from '../../visualizer/charts/mermaid.ts';
import type { DrawnBox } from '../../visualizer/charts/svg.ts';
import { escapeXml } from '../../visualizer/charts/svg.ts';

const table = setup({
  actors: { teller: fromPromise(async () => 1) },
  delays: { beat: 10 },
  guards: { isLate: () => true, isFull: () => false, has: (_, _params: { seats: number }) => true },
  actions: { ring: () => {}, say: (_, _params: { word: string }) => {} },
});

const small = table.createMachine({
  id: 'lamp',
  description: 'A lamp.',
  initial: 'off',
  states: {
    off: {
      description: 'Dark.',
      entry: 'ring',
      always: { guard: 'isLate', target: 'on' },
      on: {
        press: { target: 'on', actions: 'ring', description: 'By hand.' },
        touch: { actions: 'ring' },
      },
    },
    on: { after: { beat: 'broken' } },
    broken: { type: 'final' },
  },
});

const everything = table.createMachine({
  id: 'all',
  initial: 'work',
  on: { '*': { actions: 'ring' }, stop: '.over', again: { target: '.work', reenter: true } },
  states: {
    work: {
      type: 'parallel',
      description: 'Two hands work at once.',
      states: {
        left: {
          initial: 'up',
          states: {
            up: {
              on: {
                move: [
                  { guard: and(['isLate', or(['isFull', not('isLate')])]), target: 'down' },
                  { guard: { type: 'has', params: { seats: 3 } }, target: 'down', reenter: true },
                ],
              },
              after: { 500: { target: 'up', reenter: true } },
            },
            down: {
              on: { up: '#all.work', back: 'memory' },
              exit: { type: 'say', params: { word: 'bye' } },
            },
            memory: { type: 'history', history: 'deep', target: 'down' },
          },
        },
        right: {
          tags: ['hand'],
          invoke: {
            src: 'teller',
            onDone: { actions: raise({ type: 'told' }) },
            onError: '#all.over',
          },
          initial: 'rest',
          states: { rest: { on: { told: 'end' } }, end: { type: 'final' } },
        },
      },
      onDone: 'over',
      on: { both: ['.left.down', '.right.end'].map((target) => ({ target })) },
    },
    pause: { on: { resume: 'work.left.memory', told: { actions: assign({}) } } },
    over: { type: 'final' },
  },
});

const hostile = table.createMachine({
  id: 'h',
  initial: 'a<b',
  states: {
    'a<b': { description: 'Say "no" & <leave>; then: #1 "up" --> down', on: { '"x"&<y>': 'end' } },
    end: { type: 'final', description: '</text><script>alert(1)</script>' },
  },
});

const machines = [small, everything, hostile];

test('a chart tells every state, and no timer that XState adds', () => {
  const { nodes, ...chart } = readChart(small);
  expect(chart).toMatchObject({ id: 'lamp', description: 'A lamp.' });
  const silent = { tags: [], entry: [], exit: [], invokes: [], description: null };
  expect(nodes).toEqual([
    { ...silent, id: 'lamp', key: 'lamp', parent: null, type: 'compound', description: 'A lamp.' },
    {
      ...silent,
      id: 'lamp.off',
      key: 'off',
      parent: 'lamp',
      type: 'atomic',
      description: 'Dark.',
      entry: ['ring'],
    },
    { ...silent, id: 'lamp.on', key: 'on', parent: 'lamp', type: 'atomic' },
    { ...silent, id: 'lamp.broken', key: 'broken', parent: 'lamp', type: 'final' },
  ]);
});

test('a chart tells every transition: initial, event, internal, always and after', () => {
  const plain = {
    type: 'transition',
    guard: null,
    actions: [],
    description: null,
    internal: false,
    reenter: false,
  };
  const off = { ...plain, source: 'lamp.off', targets: ['lamp.on'] };
  expect(readChart(small).edges).toEqual([
    {
      ...plain,
      id: 'lamp|xstate.initial|0',
      type: 'default',
      source: 'lamp',
      targets: ['lamp.off'],
      event: 'initial',
    },
    { ...off, id: 'lamp.off|press|0', event: 'press', actions: ['ring'], description: 'By hand.' },
    {
      ...off,
      id: 'lamp.off|touch|0',
      event: 'touch',
      targets: [],
      actions: ['ring'],
      internal: true,
    },
    { ...off, id: 'lamp.off||0', event: 'always', guard: 'isLate' },
    {
      ...plain,
      id: 'lamp.on|xstate.after.beat.lamp.on|0',
      source: 'lamp.on',
      targets: ['lamp.broken'],
      event: 'after beat',
    },
  ]);
});

test.each([
  ['all|*|0', { event: '*', internal: true }],
  ['all|again|0', { reenter: true }],
  ['all.work.left.up|move|0', { guard: 'isLate and (isFull or not isLate)' }],
  ['all.work.left.up|move|1', { guard: 'has(seats: 3)' }],
  ['all.work.left.up|xstate.after.500.all.work.left.up|0', { event: 'after 500 ms' }],
  ['all.work|xstate.done.state.all.work|0', { event: 'done', targets: ['all.over'] }],
  [
    'all.work.right|xstate.done.actor.0.all.work.right|0',
    { event: 'done teller', actions: ['raise told'] },
  ],
  ['all.work.right|xstate.error.actor.0.all.work.right|0', { event: 'error teller' }],
  ['all.work.left.memory|xstate.history|0', { type: 'default', targets: ['all.work.left.down'] }],
  ['all.pause|told|0', { actions: ['assign'] }],
])('the transition %s is told in words', (id, expected) => {
  expect(readChart(everything).edges.find((edge) => edge.id === id)).toMatchObject(expected);
});

test('a state shows its tags, actors and exit actions', () => {
  const told = new Map(readChart(everything).nodes.map((node) => [node.id, node]));
  expect(told.get('all.work.right')).toMatchObject({ tags: ['hand'], invokes: ['teller'] });
  expect(told.get('all.work.left.down')).toMatchObject({ exit: ['say(bye)'] });
  expect(told.get('all.work.left.memory')).toMatchObject({ type: 'deepHistory' });
  expect(told.get('all.work')).toMatchObject({ type: 'parallel' });
});

test('every transition object of a machine has an id of its own, and the chart knows it', () => {
  for (const machine of machines) {
    const ids = findEdgeIds(machine);
    const drawn = new Set(readChart(machine).edges.map(({ id }) => id));
    expect(drawn.size).toBe(readChart(machine).edges.length);
    expect(new Set(ids.values()).size).toBe(ids.size);
    expect([...ids.values()].filter((id) => !drawn.has(id))).toEqual([]);
    for (const { id } of readChart(machine).nodes) {
      const node = machine.getStateNodeById(id);
      const own = [...node.transitions.values(), node.always ?? []].flat();
      expect(own.filter((transition) => !ids.has(transition))).toEqual([]);
    }
  }
});

test('a small machine reads well in Mermaid', () => {
  expect(writeMermaid(readChart(small))).toMatchInlineSnapshot(`
    "stateDiagram-v2
      state "lamp" as s_lamp {
        state "off" as s_lamp_off
        s_lamp_off : Dark.
        s_lamp_off : touch / ring
        state "on" as s_lamp_on
        state "broken" as s_lamp_broken
        [*] --> s_lamp_off
        s_lamp_off --> s_lamp_on : press / ring
        s_lamp_off --> s_lamp_on : always [isLate]
        s_lamp_on --> s_lamp_broken : after beat
        s_lamp_broken --> [*]
      }
    "
  `);
});

test('no sign of Mermaid itself is left in its labels', () => {
  const text = writeMermaid(readChart(hostile));
  expect(text).toContain('s_h_a_b --> s_h_end : ”x”＆‹y›\n');
  expect(text).toContain('s_h_a_b : Say ”no” ＆ ‹leave›, then∶ ＃1 ”up” --› down\n');
});

test('a picture is the same to the byte on every run', async () => {
  for (const machine of machines) {
    const [once, again] = [
      await layOutChart(readChart(machine)),
      await layOutChart(readChart(machine)),
    ];
    expect(drawChart(again)).toBe(drawChart(once));
  }
});

test('a picture holds every state and every transition', async () => {
  for (const machine of machines) {
    const chart = readChart(machine);
    const picture = drawChart(await layOutChart(chart));
    for (const { id } of chart.nodes) expect(picture).toContain(`data-node="${escapeXml(id)}"`);
    for (const { id } of chart.edges) expect(picture).toContain(`data-edge="${escapeXml(id)}"`);
  }
});

test('an author’s text cannot become markup', async () => {
  const picture = drawChart(await layOutChart(readChart(hostile)));
  expect(picture).not.toContain('<script');
  expect(picture).toContain('h.a&lt;b: Say &quot;no&quot; &amp; &lt;leave&gt;');
  expect(picture).toContain('data-edge="h.a&lt;b|&quot;x&quot;&amp;&lt;y&gt;|0"');
});

test('no label overlaps another label or an innermost state', async () => {
  for (const machine of machines) {
    const { arrows, nodes } = await layOutChart(readChart(machine));
    const labels = arrows.map(({ label }) => label).filter(({ width }) => width > 0);
    const solid = [...labels, ...nodes.filter(({ region }) => !region)];
    for (const label of labels) {
      expect(solid.filter((other) => other !== label && overlap(label, other))).toEqual([]);
    }
  }
});

function overlap(one: DrawnBox, other: DrawnBox): boolean {
  const across = one.x < other.x + other.width && other.x < one.x + one.width;
  return across && one.y < other.y + other.height && other.y < one.y + one.height;
}
