/** `glassbox chart`: draws the statecharts that run. */
import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { AnyStateMachine } from 'xstate';
import { type Chart, chartOf } from '../visualizer/chart/graph.ts';
import { mermaid } from '../visualizer/chart/mermaid.ts';
import { svg } from '../visualizer/chart/svg.ts';
import { parseDestination } from './arguments.ts';
import { EXIT, failure, reasonOf } from './failure.ts';
import { examples } from './help.ts';
import { print } from './output.ts';

const MACHINES = {
  meeting: async () => (await import('../machines/meeting.ts')).meetingMachine,
  player: async () => (await import('../machines/player.ts')).playerMachine,
  arbiter: async () => (await import('../machines/arbiter.ts')).arbiterMachine,
  gallery: async () => (await import('../machines/gallery.ts')).galleryMachine,
  sitting: async () => (await import('../machines/sitting.ts')).sittingMachine,
} as const satisfies Record<string, () => Promise<AnyStateMachine>>;

const FORMATS = {
  mermaid: async (chart: Chart) => mermaid(chart),
  json: async (chart: Chart) => JSON.stringify(chart, null, 2),
  svg: async (chart: Chart) => {
    const { layout } = await import('../visualizer/chart/layout.ts');
    return svg(await layout(chart));
  },
} as const;

type ChartOptions = {
  readonly machine: keyof typeof MACHINES;
  readonly format: keyof typeof FORMATS;
  readonly out?: string;
};

export function addChart(program: Command): void {
  program
    .command('chart')
    .summary('draw the statechart that runs')
    .description('Draws a statechart, read from the machine that runs.')
    .addOption(
      new Option('--machine <name>', 'which one').choices(Object.keys(MACHINES)).default('meeting'),
    )
    .addOption(
      new Option('--format <format>', 'how').choices(Object.keys(FORMATS)).default('mermaid'),
    )
    .option('--out <file>', 'write to a file instead of standard output', parseDestination)
    .addHelpText(
      'after',
      examples(
        ['chart', 'the meeting, as Mermaid'],
        ['chart --machine arbiter --format svg --out arbiter.svg', 'a picture'],
      ),
    )
    .action(async ({ machine, format, out }: ChartOptions) => {
      const text = await FORMATS[format](chartOf(await MACHINES[machine]()));
      if (out === undefined) print(text.trimEnd());
      else write(out, `${text.trimEnd()}\n`);
    });
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw failure(
      EXIT.cannotWrite,
      'output/cannot-write',
      `the chart can't be written to ${path}: ${reasonOf(error)}`,
    );
  }
}
