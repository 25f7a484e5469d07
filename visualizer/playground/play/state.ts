import { batch, computed, signal } from '@preact/signals';
import { parseLens } from '../../../machines/journal/lens.ts';
import type { Line } from '../../../machines/journal/lines.ts';
import { goToAddress, parseAddress } from '../../page/game/state/address.ts';
import { readJournalText } from '../../page/game/state/journal.ts';
import { isPlaying, jumpTo, wasJump } from '../../page/game/state/navigation.ts';
import {
  goToStep,
  isLoading,
  journalName,
  openWhole,
  problem,
  step,
  story,
} from '../../page/game/state/session.ts';
import type { ForkChange, MistakeResult, PlayedChoice, SiteMatch } from '../protocol.ts';
import {
  type ChangedOptions,
  formatSiteAddress,
  parseSiteAddress,
  type SiteAddress,
  toFileOptions,
} from './address.ts';
import { SiteWorker } from './worker.ts';

export const MATCHES: readonly SiteMatch[] = JSON.parse(
  document.getElementById('matches')?.textContent ?? '[]',
);

const FIRST_SEED = 42;
/** Random seeds are short, so that people can pass them on. */
const MOST_SEED = 10_000;

export const view = signal<SiteAddress['view']>('play');
export const matchId = signal(MATCHES[0]?.id ?? '');
export const seed = signal(FIRST_SEED);
export const options = signal<ChangedOptions>({});
export const forks = signal<readonly ForkChange[]>([]);
export const mistake = signal<string | null>(null);

export const isSetupOpen = signal(false);
export const isForkOpen = signal(false);

const unknown = signal<SiteAddress['unknown']>([]);

export const working = signal('');
export const refusal = signal('');
export const comparison = signal('');
export const counterexample = signal<MistakeResult | null>(null);
export const journalText = signal('');

export const match = computed(() => MATCHES.find(({ id }) => id === matchId.value) ?? MATCHES[0]);

const engine = new SiteWorker();

async function playChosen(hash = ''): Promise<void> {
  const chosen = match.value;
  if (chosen === undefined) return;
  isPlaying.value = false;
  // A different game would look like the requested one.
  if (unknown.value.length > 0) {
    const asked = unknown.value.map((field) => field.join('='));
    refusal.value = `this link asks for ${asked.join(', ')}, which is not known here`;
    isLoading.value = false;
    return;
  }
  working.value = 'Playing…';
  const asked = formatSiteAddress(currentAddress());
  const answer = await engine.ask({
    type: 'play',
    choice: {
      match: chosen.match,
      seed: seed.value,
      options: toFileOptions(options.value),
      forks: forks.value,
    },
  });
  // The visitor has asked for something else meanwhile.
  if (asked !== formatSiteAddress(currentAddress())) return;
  batch(() => {
    working.value = '';
    counterexample.value = null;
    if (answer.type === 'refused') {
      refusal.value = answer.notes.map(({ text }) => text).join(' · ');
      isLoading.value = false;
    } else if (answer.type === 'played') {
      refusal.value = '';
      comparison.value = answer.played.comparison ?? '';
      showJournal(answer.played.journal, hash, answer.played.stepped);
    }
  });
}

function showJournal(text: string, hash: string, stepped: PlayedChoice['stepped'] = []): void {
  const read = readJournalText<Line>(text);
  if (!read.ok) {
    problem.value = read.sentence;
    return;
  }
  const lines = read.lines.map((line, at) => ({ ...line, ...stepped[at] }));
  const address = parseAddress(hash);
  batch(() => {
    journalText.value = text;
    journalName.value = match.peek()?.match.name ?? '';
    problem.value = '';
    step.value = 0;
    openWhole(lines, parseLens(address.lens ?? '') ?? { type: 'glass' });
    goToStep(0);
    goToAddress(address);
  });
}

export function watchCounterexample(result: MistakeResult): void {
  const journal = result.noticed?.journal ?? null;
  if (journal === null) return;
  batch(() => {
    isPlaying.value = false;
    view.value = 'play';
    counterexample.value = result;
    showJournal(journal, '');
  });
}

export function goToBrokenStep(steps: readonly { readonly end: number }[], index: number): void {
  const found = story.value.stepOf(`${steps[index]?.end ?? 0}`);
  if (found !== null) jumpTo(found);
}

export function newSeed(): void {
  // This random number only selects a game.
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
  startOver({ seed: 1 + (drawn % (MOST_SEED - 1)) });
}

type Start = Readonly<{ matchId?: string; seed?: number; options?: ChangedOptions }>;

export function startOver(start: Start): void {
  batch(() => {
    view.value = 'play';
    matchId.value = start.matchId ?? matchId.value;
    seed.value = start.seed ?? seed.value;
    options.value = start.options ?? options.value;
    forks.value = [];
    unknown.value = [];
  });
  pushAddress('');
  void playChosen().then(() => {
    if (refusal.value === '') isPlaying.value = true;
  });
}

export function changeForks(wanted: readonly ForkChange[]): void {
  const { hash } = location;
  forks.value = wanted;
  pushAddress(hash);
  void playChosen(hash);
}

export function showView(wanted: SiteAddress['view']): void {
  isPlaying.value = false;
  view.value = wanted;
  pushAddress(wanted === 'play' ? location.hash : '');
  if (wanted === 'play' && (counterexample.value !== null || journalText.value === ''))
    void playChosen();
}

function currentAddress(): SiteAddress {
  return {
    view: view.value,
    match: matchId.value,
    seed: seed.value,
    options: options.value,
    forks: forks.value,
    mistake: mistake.value,
    unknown: unknown.value,
  };
}

let shown = '';

export function pushAddress(hash: string): void {
  wasJump.value = false;
  shown = formatSiteAddress(currentAddress());
  history.pushState(null, '', `${shown}${hash}`);
}

function takeAddress(): void {
  const names = MATCHES.map(({ id }) => id);
  const address = parseSiteAddress(location.search, names);
  batch(() => {
    unknown.value = address.unknown;
    view.value = address.view;
    matchId.value = MATCHES.find(({ id }) => id === address.match)?.id ?? MATCHES[0]?.id ?? '';
    seed.value = address.seed ?? FIRST_SEED;
    options.value = address.options;
    forks.value = address.forks;
    mistake.value = address.mistake;
  });
}

export async function openAddress(): Promise<void> {
  takeAddress();
  shown = formatSiteAddress(currentAddress());
  addEventListener('popstate', () => {
    takeAddress();
    const wanted = formatSiteAddress(currentAddress());
    if (wanted === shown) return;
    shown = wanted;
    if (view.value === 'play') void playChosen(location.hash);
  });
  if (view.value === 'play') await playChosen(location.hash);
}
