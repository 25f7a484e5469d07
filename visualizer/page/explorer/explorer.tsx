import { signal } from '@preact/signals';
import type { ExplorerReport } from '../../../proofs/report/explorerReport.ts';
import { notice } from '../frame/address.ts';
import { unpackText } from '../frame/embedded.ts';
import { toggle } from '../frame/fieldEvents.ts';
import { Head, ThemeTool, Tool } from '../frame/head.tsx';
import { FAR_STEPS, HelpSheet, HelpTool, isHelpOpen, type KeyCommand } from '../frame/keyboard.tsx';
import { Announced, Choice, PaneTabs, Select } from '../frame/panel.tsx';
import { switchTheme } from '../frame/preferences.ts';
import { ChartPane } from './chart.tsx';
import { Figures } from './figures.tsx';
import { MeetingPane } from './meeting.tsx';
import { MutantPane, PropertyPane } from './properties.tsx';
import { NextEvents, Transport, Witness } from './run.tsx';
import { SpacePane } from './space.tsx';
import {
  choose,
  copyLink,
  goTo,
  jump,
  last,
  look,
  placeIn,
  property,
  report,
  run,
  step,
  trace,
  trouble,
  type View,
  view,
  views,
  visit,
  walk,
} from './visit.ts';

const PANES = ['properties', 'run', 'look'] as const;
const pane = signal<(typeof PANES)[number]>('run');

export function Explorer() {
  if (trouble.value !== '')
    return (
      <main class="open">
        <h1>A check</h1>
        <p class="sentence">{trouble.value}</p>
      </main>
    );
  if (report.value === null) return <p class="loading">Unpacking the report…</p>;
  const isPair = (trace.value?.journals.length ?? 0) > 1;
  const Looked = LOOKS[view.value];
  return (
    <div
      class="app explorer"
      data-pane={pane.value}
      data-moment={step.value}
      data-pair={isPair || undefined}
      data-walked={(trace.value?.steps.length ?? 0) > 0 || undefined}
    >
      <Bar />
      <Figures />
      <PaneTabs names={PANES} current={pane} texts={{ look: 'meeting & chart' }} />
      <main>
        <div class="column listed">
          {report.value.about === 'mutants' ? <MutantPane /> : <PropertyPane />}
        </div>
        <div class="column middle">
          <Witness />
          <NextEvents />
        </div>
        <div class="column looked">
          <ViewSwitch />
          <Looked />
        </div>
      </main>
      <Transport />
      <Status />
      <Help />
    </div>
  );
}

const LOOKS = { meeting: MeetingPane, chart: ChartPane, space: SpacePane } as const;

const MOST_BUTTONS = 4;

function Bar() {
  const { title = '', conclusion = '', exit = 0 } = report.value ?? {};
  return (
    <Head
      kind="check"
      title={title}
      now={<span data-exit={exit}>{conclusion}</span>}
      inside="check"
      tools={
        <>
          <Tool icon="link" label="Copy a link to this step" with="C" act={copyLink} />
          <ThemeTool with="T" />
          <HelpTool />
        </>
      }
    >
      <Runs />
    </Head>
  );
}

function Runs() {
  const { about = 'search', runs = [] } = report.value ?? {};
  if (about === 'mutants' || runs.length < 2) return null;
  if (runs.length > MOST_BUTTONS)
    return (
      <Select
        label="Run"
        isBare
        class="runs"
        value={run.value?.key}
        options={runs.map(({ key, name }) => [key, name])}
        onChoose={visit}
      />
    );
  const texts = Object.fromEntries(runs.map(({ key, name }) => [key, name]));
  return (
    <fieldset class="lenses">
      <legend class="vh">Run</legend>
      <Choice
        names={Object.keys(texts)}
        chosen={run.value?.key ?? null}
        onChoose={visit}
        texts={texts}
      />
    </fieldset>
  );
}

const NAMES: Readonly<Record<View, string>> = {
  meeting: 'Meeting',
  chart: 'Statechart',
  space: 'State space',
};

function ViewSwitch() {
  return (
    <fieldset class="lenses views">
      <legend class="vh">Look at it as</legend>
      <Choice
        names={views.value}
        chosen={view.value}
        onChoose={look}
        texts={NAMES}
        titles={Object.fromEntries(
          views.value.map((each, index) => [each, `${NAMES[each]} (${index + 1})`]),
        )}
      />
    </fieldset>
  );
}

function Status() {
  const { value: told } = trace;
  const here = told?.steps[step.value - 1];
  const sentence =
    told === null
      ? `${property.value?.name ?? ''}: ${property.value?.said ?? ''}.`
      : here === undefined
        ? `The beginning of ${property.value?.name ?? 'the run'}.`
        : `Step ${step.value} of ${told.steps.length}: ${here.happened}.`;
  return <Announced notice={notice.value} text={sentence} />;
}

function Help() {
  return (
    <HelpSheet keys={COMMANDS}>
      The statechart that runs was taken through every way in which it can go, and each property was
      judged. A broken one has a shortest run that breaks it; what can be has the nearest run that
      shows it. Each step has the fields that it changed, and what the machine takes or refuses
      there. Click an event to go on from there by yourself, or a dot of the state space to go to
      it.
    </HelpSheet>
  );
}

function hop(direction: 1 | -1): void {
  const all = run.value?.properties ?? [];
  const at = all.findIndex(({ name }) => name === property.value?.name);
  const ahead = direction === 1 ? all.slice(at + 1) : all.slice(0, Math.max(0, at)).reverse();
  const next = ahead.find(({ trace }) => trace !== null);
  if (next !== undefined) choose(next.name);
}

function lookAt(index: number): void {
  const wanted = views.value[index];
  if (wanted !== undefined) look(wanted);
}

export const COMMANDS: readonly KeyCommand[] = [
  {
    keys: ['←', '→', 'H', 'L'],
    does: 'one step back or forward, ten with Shift',
    actions: {
      ArrowLeft: ({ shiftKey }) => walk(shiftKey ? -FAR_STEPS : -1),
      ArrowRight: ({ shiftKey }) => walk(shiftKey ? FAR_STEPS : 1),
      h: () => walk(-1),
      l: () => walk(1),
    },
  },
  {
    keys: ['Home', 'End'],
    does: 'beginning and end of the run',
    actions: { Home: () => jump(0), End: () => jump(last.value) },
  },
  {
    keys: [',', '.'],
    does: 'previous and next property with a run',
    actions: { ',': () => hop(-1), '.': () => hop(1) },
  },
  {
    keys: ['1', '2', '3'],
    does: 'the meeting, the statechart, the state space',
    actions: { '1': () => lookAt(0), '2': () => lookAt(1), '3': () => lookAt(2) },
  },
  { keys: ['T'], does: 'dark, light or the system’s theme', actions: { t: switchTheme } },
  { keys: ['C'], does: 'copy a link to this step', actions: { c: copyLink } },
  { keys: ['?'], does: 'show this help', actions: { '?': toggle(isHelpOpen) } },
];

export async function openReport(): Promise<void> {
  try {
    const found: ExplorerReport = JSON.parse(await unpackText('report'));
    if (found.v !== 1) {
      trouble.value = `This page reads reports of format 1, and this one has ${found.v}.`;
      return;
    }
    report.value = found;
    goTo(placeIn(location.hash));
  } catch {
    trouble.value = 'The report in this file is damaged.';
  }
}
