import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readGame } from '../../../../actors/engine/configFile.ts';
import { RECOMMENDED } from '../../../../machines/rules/optionRows.ts';
import { JOINED, neighbours, SKELD, ventsAt } from '../../../../machines/rules/ship/map.ts';
import { TASK_KINDS, TASKS } from '../../../../machines/rules/ship/tasks.ts';
import { prepare } from '../../../../machines/setup/prepare.ts';
import { HALLWAYS, type Place, ROOMS, SYSTEMS } from '../../../../machines/types.ts';

const PAGE = readFileSync(
  fileURLToPath(new URL('../../../../docs/skeld.md', import.meta.url)),
  'utf8',
);

function table(heading: string): readonly (readonly string[])[] {
  const [section = ''] = (PAGE.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ');
  const [rows = ''] = /^\|.*(?:\n\|.*)*/m.exec(section) ?? [];
  const [, , ...body] = rows.split('\n');
  return body
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((it) => it.trim()));
}

const short = (hallway: Place) => hallway.replace(' hallway', '');
const vents = (place: Place) =>
  ventsAt(SKELD, place)
    .map(({ id }) => id)
    .join(', ');

test('the rooms, with their hallways, vents, doors and consoles', () => {
  const expected = ROOMS.map((room) => [
    room,
    neighbours(SKELD, room).map(short).join(', '),
    vents(room),
    SKELD.doors.includes(room) ? String(neighbours(SKELD, room).length) : '',
    SYSTEMS.flatMap((system) =>
      SKELD.consoles[system].filter((at) => at === room).map(() => system),
    ).join(', '),
  ]);
  expect(table('Rooms')).toEqual(expected);
});

test('the hallways with their rooms, vents and cameras', () => {
  const expected = HALLWAYS.map((hallway) => [
    short(hallway),
    JOINED[hallway].join(', '),
    vents(hallway),
    SKELD.cameras?.show.includes(hallway) ? 'yes' : '',
  ]);
  expect(table('Hallways')).toEqual(expected);
});

test('the groups of vents', () => {
  const groups = table('Vents').map(([, ids = '']) => ids.split(', ').map(Number));
  expect(groups.flat().toSorted((one, other) => one - other)).toEqual(
    SKELD.vents.map(({ id }) => id),
  );
  for (const [row, ids] of groups.entries())
    for (const [index, id] of ids.entries()) {
      const vent = SKELD.vents.find((one) => one.id === id);
      expect(new Set(vent?.links)).toEqual(new Set(ids.filter((other) => other !== id)));
      const place = table('Vents')[row]?.[0]?.split(', ')[index];
      expect(place?.replace(/^(?:upper|lower) /, '')).toBe(vent?.place);
    }
});

test('the tasks, with their seconds and rounds', () => {
  const order = TASK_KINDS.flatMap((kind) => TASKS.filter((task) => task.kind === kind));
  const byTitle = [...Map.groupBy(order, ({ title }) => title).values()];
  const rows = table('Tasks');
  expect(rows).toHaveLength(byTitle.length);
  for (const [index, tasks] of byTitle.entries()) {
    const [first] = tasks;
    const [name, kind, where = '', seconds, rounds] = rows[index] ?? [];
    if (first === undefined) continue;
    expect(name).toBe(first.visual ? `${first.title} (visual)` : first.title);
    expect(kind).toBe(first.kind);
    for (const task of tasks) {
      for (const place of task.steps.flatMap(({ places }) => places))
        expect(where).toContain(place);
      expect(seconds).toBe(task.steps.map((step) => step.seconds).join(' + '));
      expect(rounds).toBe(task.steps.map((step) => step.rounds).join(' + '));
    }
  }
});

test('the recommended settings', () => {
  const row = (title: string, cells: readonly number[]) => `| ${[title, ...cells].join(' | ')} |`;
  for (const line of [
    row(
      'players',
      RECOMMENDED.map(({ seats }) => seats),
    ),
    row(
      'impostors',
      RECOMMENDED.map(({ impostors }) => impostors),
    ),
    row(
      'kill cooldown, s',
      RECOMMENDED.map(({ killCooldown }) => killCooldown),
    ),
  ])
    expect(PAGE).toContain(`${line}\n`);
});

test('the example of a map of one’s own in docs/skeld.md can be played', () => {
  const reading = readGame(/```yaml\n(.*?)```/s.exec(PAGE)?.[1] ?? '');
  expect(reading).toMatchObject({ ok: true });
  if (reading.ok) expect(prepare(reading.value, 1)).toMatchObject({ ok: true });
});
