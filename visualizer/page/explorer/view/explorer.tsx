/** The page of a check: every pane in its place, or the sentence that says why there is none. */
import { signal } from '@preact/signals';
import { PaneTabs } from '../../frame/panel.tsx';
import { report, step, tale, trouble, view } from '../state/visit.ts';
import { Bar } from './bar.tsx';
import { ChartPane } from './chart.tsx';
import { Figures } from './figures.tsx';
import { Help } from './help.tsx';
import { MeetingPane } from './meeting.tsx';
import { MutantPane } from './mutants.tsx';
import { Offers } from './offers.tsx';
import { PropertyPane } from './properties.tsx';
import { SpacePane } from './space.tsx';
import { Status } from './status.tsx';
import { Transport } from './transport.tsx';
import { ViewSwitch } from './viewSwitch.tsx';
import { Witness } from './witness.tsx';

/** On a narrow screen one pane is shown at a time. */
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
  if (report.value === null) return <p class="loading">The report is unpacked…</p>;
  const isPair = (tale.value?.journals.length ?? 0) > 1;
  return (
    <div
      class="app explorer"
      data-pane={pane.value}
      data-moment={step.value}
      data-pair={isPair || undefined}
      data-walked={(tale.value?.steps.length ?? 0) > 0 || undefined}
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
          <Offers />
        </div>
        <div class="column looked">
          <ViewSwitch />
          <Look />
        </div>
      </main>
      <Transport />
      <Status />
      <Help />
    </div>
  );
}

function Look() {
  switch (view.value) {
    case 'meeting':
      return <MeetingPane />;
    case 'space':
      return <SpacePane />;
    default:
      return <ChartPane />;
  }
}
