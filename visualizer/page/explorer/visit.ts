import { batch, computed, signal } from '@preact/signals';
import type {
  ExplorerEdge,
  ExplorerProperty,
  ExplorerReport,
  ExplorerRun,
  ExplorerTrace,
} from '../../../proofs/report/explorerReport.ts';
import { copyLinkTo, syncAddressBar } from '../frame/address.ts';
import { readEmbeddedFacts } from '../frame/embedded.ts';
import { createStory, NO_CHARTS, type Story } from '../game/story/story.ts';

const VIEWS = ['meeting', 'chart', 'space'] as const;
export type View = (typeof VIEWS)[number];

const facts = readEmbeddedFacts();
export const drawn = facts.charts.meeting;

export const report = signal<ExplorerReport | null>(null);
export const trouble = signal('');
const runKey = signal('');
const propertyName = signal('');
export const step = signal(0);
const chosenView = signal<View | null>(null);
/** How the last move was made: a jump is a place to come back to. */
const wasJump = signal(false);

export const run = computed<ExplorerRun | null>(() => {
  const runs = report.value?.runs ?? [];
  return runs.find(({ key }) => key === runKey.value) ?? runs[0] ?? null;
});
export const property = computed<ExplorerProperty | null>(() => {
  const all = run.value?.properties ?? [];
  return all.find(({ name }) => name === propertyName.value) ?? mostTelling(all);
});
export const trace = computed<ExplorerTrace | null>(() => property.value?.trace ?? null);
export const last = computed(() => trace.value?.steps.length ?? 0);
export const edges = computed<readonly ExplorerEdge[]>(
  () => report.value?.charts[run.value?.chart ?? 0] ?? [],
);
export const views = computed<readonly View[]>(() => {
  const here = {
    meeting: (trace.value?.journals.length ?? 0) > 0,
    chart: run.value?.coverage !== null || (trace.value?.rests.length ?? 0) > 0,
    space: run.value?.space !== null,
  };
  return VIEWS.filter((view) => here[view]);
});
export const view = computed<View>(() => {
  const wanted = chosenView.value;
  return wanted !== null && views.value.includes(wanted) ? wanted : (views.value[0] ?? 'chart');
});
export const stories = computed<readonly Story[]>(() =>
  (trace.value?.journals ?? []).map(({ lines }) =>
    createStory(lines, NO_CHARTS, { type: 'glass' }),
  ),
);

/** Broken properties first, then those broken as declared, then those with a run. */
function mostTelling(all: readonly ExplorerProperty[]): ExplorerProperty | null {
  return (
    all.find(({ asDeclared, trace: told }) => !asDeclared && told !== null) ??
    all.find(({ asDeclared }) => !asDeclared) ??
    all.find(({ verdict, trace: told }) => verdict === 'violated' && told !== null) ??
    all.find(({ trace: told }) => told !== null) ??
    all[0] ??
    null
  );
}

export function walk(steps: number): void {
  step.value = Math.max(0, Math.min(last.value, step.value + steps));
}

export function jump(target: number): void {
  batch(() => {
    wasJump.value = true;
    step.value = Math.max(0, Math.min(last.value, target));
  });
}

export function choose(name: string): void {
  batch(() => {
    wasJump.value = true;
    propertyName.value = name;
    step.value = 0;
  });
}

export function visit(key: string): void {
  batch(() => {
    wasJump.value = true;
    const name = property.value?.name ?? '';
    runKey.value = key;
    propertyName.value =
      run.value?.properties.some((one) => one.name === name) === true ? name : '';
    step.value = 0;
  });
}

export function look(wanted: View): void {
  chosenView.value = wanted;
}

type ExplorerPlace = Readonly<{ run: string | null; p: string | null; s: number; v: View | null }>;

export function goTo({ run: key, p, s, v }: ExplorerPlace): void {
  batch(() => {
    runKey.value = key ?? '';
    propertyName.value = p ?? '';
    chosenView.value = v;
    step.value = Math.max(0, Math.min(last.value, s));
    wasJump.value = false;
  });
}

export function placeIn(hash: string): ExplorerPlace {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const s = Number(fields.get('s') ?? '0');
  return {
    run: fields.get('run'),
    p: fields.get('p'),
    s: Number.isSafeInteger(s) ? s : 0,
    v: VIEWS.find((each) => each === fields.get('v')) ?? null,
  };
}

function addressNow(): string {
  const fields = new URLSearchParams({
    run: run.value?.key ?? '',
    p: property.value?.name ?? '',
    s: `${step.value}`,
    v: view.value,
  });
  return `#${fields}`;
}

export function keepAddress(): void {
  syncAddressBar({ now: addressNow, goTo: (hash) => goTo(placeIn(hash)), wasJump });
}

export function copyLink(): void {
  copyLinkTo(addressNow(), 'this step');
}
