/** `glassbox chart`: draws the statecharts that run, and the ship. */
import { Option } from 'commander';
import type { AnyStateMachine } from 'xstate';
import { createFailure, EXIT } from '../actors/files/failure.ts';
import { writeOutput } from '../actors/files/newFiles.ts';
import { type Chart, readChart } from '../visualizer/charts/chart.ts';
import { drawChart } from '../visualizer/charts/chartSvg.ts';
import { drawMap } from '../visualizer/charts/mapSvg.ts';
import { writeMermaid } from '../visualizer/charts/mermaid.ts';
import { readPrebuilt } from '../visualizer/page/build/parts.ts';
import { FORCE_OPTION, parseDestination } from './flags.ts';
import { print, printJson } from './output.ts';
import type { ProgramCommand } from './usage.ts';

export const MACHINES = {
  meeting: async () => (await import('../machines/charts/meeting.ts')).meetingMachine,
  player: async () => (await import('../machines/charts/player.ts')).playerMachine,
  arbiter: async () => (await import('../machines/charts/arbiter.ts')).arbiterMachine,
  gallery: async () => (await import('../machines/charts/gallery.ts')).galleryMachine,
  'meeting-session': async () =>
    (await import('../machines/charts/meetingSession.ts')).meetingSessionMachine,
  game: async () => (await import('../machines/charts/game.ts')).gameMachine,
} as const satisfies Record<string, () => Promise<AnyStateMachine>>;

const FORMATS = {
  mermaid: async (chart: Chart) => writeMermaid(chart),
  json: async (chart: Chart) => JSON.stringify(chart, null, 2),
  svg: async (chart: Chart, machine: keyof typeof MACHINES) => {
    const prebuilt = readPrebuilt(`${machine}.svg`);
    if (prebuilt !== null) return prebuilt;
    const { layOutChart } = await import('../visualizer/charts/chartLayout.ts');
    return drawChart(await layOutChart(chart));
  },
} as const;

type ChartOptions = {
  readonly machine: keyof typeof MACHINES;
  readonly format: keyof typeof FORMATS;
  readonly map?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
};

export function addChart(program: ProgramCommand): void {
  program
    .command('chart')
    .description('Draws a statechart, from the machine that runs, or the map of the ship.')
    .addOption(
      new Option('--machine <name>', 'machine to draw')
        .choices(Object.keys(MACHINES))
        .default('meeting'),
    )
    .addOption(
      new Option('--format <format>', 'format of the drawing')
        .choices(Object.keys(FORMATS))
        .default('mermaid'),
    )
    .addOption(
      new Option('--map', 'draw the map instead of a machine, as svg or json')
        .conflicts('machine')
        .implies({ format: 'svg' }),
    )
    .option('--out <file>', 'write to a file instead of standard output', parseDestination)
    .option(...FORCE_OPTION)
    .option('--json', 'print the result as JSON, with the drawing if there is no --out')
    .examples(
      ['chart', 'the meeting, as Mermaid'],
      ['chart --machine arbiter --format svg --out arbiter.svg', 'a picture'],
      ['chart --map --out skeld.svg', 'the ship'],
    )
    .action(async ({ machine, format, map, out, force, json = false }: ChartOptions) => {
      const text = map
        ? await shipText(format)
        : await FORMATS[format](readChart(await MACHINES[machine]()), machine);
      const drawing = `${text.trimEnd()}\n`;
      if (out !== undefined) await writeOutput(out, drawing, { what: 'the chart', force });
      if (json) {
        const drawn = { machine: map === true ? null : machine, map: map === true, format };
        const where = out === undefined ? { text: drawing } : { file: out };
        printJson({ type: 'chart', v: 1, ...drawn, ...where, bytes: Buffer.byteLength(drawing) });
      } else if (out === undefined) print(text.trimEnd());
    });
}

/** The ship has no states, so there is no Mermaid for it. */
async function shipText(format: keyof typeof FORMATS): Promise<string> {
  if (format === 'mermaid') {
    const text = '--format: expected svg or json for the map, found mermaid';
    throw createFailure(EXIT.usage, 'usage/format', text);
  }
  const [{ SKELD }, { taskSites }] = await Promise.all([
    import('../machines/rules/ship/map.ts'),
    import('../machines/rules/ship/tasks.ts'),
  ]);
  const plan = { ...SKELD, tasks: taskSites(SKELD) };
  return format === 'svg' ? drawMap(plan) : JSON.stringify(plan, null, 2);
}
