/** `glassbox chart`: draws the statecharts that run. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { AnyStateMachine } from 'xstate';
import { arbiterMachine } from '../machines/arbiter.ts';
import { galleryMachine } from '../machines/gallery.ts';
import { meetingMachine } from '../machines/meeting.ts';
import { playerMachine } from '../machines/player.ts';
import { sittingMachine } from '../machines/sitting.ts';
import { type Chart, chartOf } from '../visualizer/chart/graph.ts';
import { layout } from '../visualizer/chart/layout.ts';
import { mermaid } from '../visualizer/chart/mermaid.ts';
import { svg } from '../visualizer/chart/svg.ts';
import { EXIT, failure, reasonOf } from './failure.ts';
import { print } from './output.ts';

const MACHINES = {
  meeting: meetingMachine,
  player: playerMachine,
  arbiter: arbiterMachine,
  gallery: galleryMachine,
  sitting: sittingMachine,
} as const satisfies Record<string, AnyStateMachine>;

const FORMATS = {
  mermaid: async (chart: Chart) => mermaid(chart),
  json: async (chart: Chart) => JSON.stringify(chart, null, 2),
  svg: async (chart: Chart) => svg(await layout(chart)),
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
      program
        .createOption('--machine <name>', 'which one')
        .choices(Object.keys(MACHINES))
        .default('meeting'),
    )
    .addOption(
      program
        .createOption('--format <format>', 'how')
        .choices(Object.keys(FORMATS))
        .default('mermaid'),
    )
    .option('--out <file>', 'write to a file instead of standard output')
    .action(async ({ machine, format, out }: ChartOptions) => {
      const text = await FORMATS[format](chartOf(MACHINES[machine]));
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
