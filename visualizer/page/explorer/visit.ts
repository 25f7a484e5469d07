import { batch, computed, signal } from '@preact/signals';
import type {
  ExplorerEdge,
  ExplorerProperty,
  ExplorerReport,
  ExplorerRun,
  ExplorerState,
  ExplorerTrace,
} from '../../../proofs/report/explorerReport.ts';
import { copyLinkTo, syncAddressBar } from '../frame/address.ts';
import { readEmbeddedFacts } from '../frame/embedded.ts';
import type { DrawnChart } from '../game/story/pageData.ts';
import { createStory, NO_CHARTS, type Story } from '../game/story/story.ts';
import { layOutOutline } from './outline.ts';

const VIEWS = ['meeting', 'chart', 'space'] as const;
export type View = (typeof VIEWS)[number];

const facts = readEmbeddedFacts();

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
export const walked = signal<ExplorerTrace | null>(null);
export const trace = computed<ExplorerTrace | null>(
  () => walked.value ?? property.value?.trace ?? null,
);
/** The state at this step. Without a run it is the start. */
export const here = computed<ExplorerState | null>(() => {
  const rests = trace.value?.rests ?? (run.value?.dots.length ? run.value.dots.slice(0, 1) : []);
  return run.value?.states[rests[step.value] ?? -1] ?? null;
});
export const drawn = computed<DrawnChart>(() => {
  const { outline, about } = report.value ?? {};
  if (outline !== undefined) return layOutOutline(outline);
  return facts.charts[about === 'games' ? 'game' : 'meeting'];
});
export const last = computed(() => trace.value?.steps.length ?? 0);
export const edges = computed<readonly ExplorerEdge[]>(
  () => report.value?.charts[run.value?.chart ?? 0] ?? [],
);
export const views = computed<readonly View[]>(() => {
  const shown = {
    meeting: (trace.value?.journals.length ?? 0) > 0,
    chart: run.value?.coverage !== null || here.value !== null,
    space: run.value?.space !== null,
  };
  return VIEWS.filter((view) => shown[view]);
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

const OWN_WALK = {
  ...{ isExample: true, loop: null, excludedBy: [], journals: [], states: null },
  note: 'A walk of your own.',
} as const;

/** Goes on from this step by one of its offers. What followed there is dropped. */
export function take(offer: number, way: number): void {
  const [state, at] = [here.value, step.value];
  const { steps = [], rests = run.value?.dots.slice(0, 1) ?? [] } = trace.value ?? {};
  const taken = state === null ? null : stepBy(state, offer, way);
  if (taken === null) return;
  batch(() => {
    walked.value = {
      ...OWN_WALK,
      steps: [...steps.slice(0, at), taken.step],
      rests: [...rests.slice(0, at + 1), ...(taken.leads < 0 ? [] : [taken.leads])],
    };
    step.value = at + 1;
  });
}

/** Goes to a state of the space, by the way on which the search found it. */
export function reach(dot: number): void {
  const states = run.value?.states ?? [];
  let at = run.value?.dots[dot];
  if (at === undefined) return;
  const [steps, rests] = [[] as ExplorerTrace['steps'][number][], [at]];
  for (let from = states[at]?.from; from != null; from = states[from.state]?.from) {
    const state = states[from.state];
    const taken = state === undefined ? null : stepBy(state, from.offer, from.way);
    if (taken === null) return;
    steps.unshift(taken.step);
    at = from.state;
    rests.unshift(at);
  }
  batch(() => {
    walked.value = { ...OWN_WALK, steps, rests };
    step.value = steps.length;
  });
}

function stepBy({ at, offers }: ExplorerState, offer: number, way: number) {
  const chosen = offers?.[offer];
  const taken = chosen?.ways[way];
  if (chosen === undefined || taken === undefined) return null;
  const { text: happened, changes, leads } = taken;
  const { to, taken: trail } = chosen;
  return { leads, step: { at, to, happened, changes, trail, offer } };
}

export function choose(name: string): void {
  batch(() => {
    walked.value = null;
    wasJump.value = true;
    propertyName.value = name;
    step.value = 0;
  });
}

export function visit(key: string): void {
  batch(() => {
    const { name = '' } = property.value ?? {};
    runKey.value = key;
    choose(run.value?.properties.some((one) => one.name === name) === true ? name : '');
  });
}

export function look(wanted: View): void {
  chosenView.value = wanted;
}

type ExplorerPlace = Readonly<{ run: string | null; p: string | null; s: number; v: View | null }>;

export function goTo({ run: key, p, s, v }: ExplorerPlace): void {
  batch(() => {
    walked.value = null;
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
