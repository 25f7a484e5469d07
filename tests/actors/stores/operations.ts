/**
 * Random operations of stores, the same for every kind of store. Epochs, pieces and versions are drawn as offsets
 * from the latest one, so most operations are near the boundary and a shortened list still makes sense. A lead
 * lasts an hour, or no time at all.
 */
import type { KeptJournal } from '../../../actors/stores/journal.ts';
import { digestJournal } from '../../../actors/stores/journal.ts';
import { type PersonaName, personaId } from '../../../actors/stores/persona.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import type { Slot, Store } from '../../../actors/stores/store.ts';
import type { Chance } from '../../support/chance.ts';
import { aLesson, aResult, aSeat, gathered } from './kept.ts';

export const CLIENTS = 3;
const LEAGUES = ['spring', 'autumn', 'été 😀:%_'];
const SLOTS = [0, 1, 2, 7, 100];
const MATTERS = ['plan', 'round 1', 'plan:1'];
const VALUES = ['', '{"a":1}', 'ä😀 \u2028 \t"\\', 'x'.repeat(3000)];
const TERMS = ['one', 'two', 'three'];
const HOUR = 3_600_000;
const LEASES = [HOUR, HOUR, HOUR, 0];

const PERSONAS: readonly PersonaName[] = [
  { model: 'scripted', name: 'leader' },
  { model: 'scripted', name: 'joker' },
  { model: 'vendor/model:free', name: 'Ä 😀 {glassbox}:v1' },
  { model: 'gpt', name: 'free_leader' },
  { model: 'gpt_free', name: 'leader' },
];
const IDS = [...new Set(PERSONAS.map(personaId)), 'nobody'];

/** So many before the latest number that the store has given; a negative one was never given. */
type Behind = number;
type Fence = { readonly league: string; readonly term: string };

export type StoreOperation = { readonly client: number } & (
  | { readonly type: 'enrol'; readonly persona: PersonaName }
  | { readonly type: 'career'; readonly id: string }
  | { readonly type: 'personas' }
  | { readonly type: 'memory'; readonly id: string; readonly behind: Behind | null }
  | { readonly type: 'history'; readonly id: string }
  | {
      readonly type: 'teach';
      readonly id: string;
      readonly behind: Behind;
      readonly lesson: string;
      readonly fence: Fence | null;
    }
  | { readonly type: 'leagues' }
  | {
      readonly type: 'settle';
      readonly league: string;
      readonly matter: string;
      readonly value: string;
    }
  | { readonly type: 'settled'; readonly league: string; readonly matter: string }
  | { readonly type: 'claim'; readonly game: Slot }
  | {
      readonly type: 'append';
      readonly game: Slot;
      readonly behind: Behind;
      /** Pieces more than there are, less than there are, or null to begin anew. */
      readonly off: number | null;
      readonly text: string;
    }
  | { readonly type: 'pieces'; readonly game: Slot }
  | {
      readonly type: 'record';
      readonly result: GameResult;
      readonly behind: Behind | null;
      readonly journal: string | null;
    }
  | { readonly type: 'slots'; readonly league: string }
  | {
      readonly type: 'results';
      readonly league: string;
      readonly least: number | undefined;
      readonly most: number | undefined;
    }
  | { readonly type: 'audit'; readonly league: string }
  | { readonly type: 'discard'; readonly league: string; readonly slots: readonly number[] }
  | { readonly type: 'lead'; readonly league: string; readonly term: string; readonly ms: number }
  | { readonly type: 'renewLead'; readonly fence: Fence; readonly ms: number }
  | { readonly type: 'resignLead'; readonly fence: Fence }
  | { readonly type: 'leader'; readonly league: string }
  | { readonly type: 'journals'; readonly league: string }
  | { readonly type: 'journal'; readonly game: Slot }
  | { readonly type: 'dropJournals'; readonly league: string }
  | { readonly type: 'rebuild' }
  /** The client goes and comes back, as after a restart. */
  | { readonly type: 'reopen' }
);

type WithoutClient<T> = T extends unknown ? Omit<T, 'client'> : never;

/** How often each kind of operation is drawn, beside the others. What changes something comes most. */
const WEIGHTS: Readonly<Record<StoreOperation['type'], number>> = {
  enrol: 3,
  career: 3,
  personas: 1,
  memory: 3,
  history: 1,
  teach: 8,
  leagues: 2,
  settle: 4,
  settled: 2,
  claim: 8,
  append: 14,
  pieces: 3,
  record: 14,
  slots: 2,
  results: 3,
  audit: 2,
  discard: 2,
  lead: 8,
  renewLead: 6,
  resignLead: 3,
  leader: 4,
  journals: 2,
  journal: 2,
  dropJournals: 1,
  rebuild: 1,
  reopen: 0,
};

/** How many of ten thousand operations close a client and open it again: it takes as long as a hundred others. */
const REOPENINGS = 15;

const TYPES = Object.entries(WEIGHTS).flatMap(([type, weight]) =>
  Array.from({ length: weight }, () => type),
);

export function drawOperations(chance: Chance, count: number): readonly StoreOperation[] {
  return Array.from({ length: count }, () => drawOperation(chance));
}

function drawOperation(chance: Chance): StoreOperation {
  const client = chance.below(CLIENTS);
  if (chance.below(10_000) < REOPENINGS) return { client, type: 'reopen' };
  return { client, ...drawAct(chance, chance.pick(TYPES)) };
}

function drawAct(chance: Chance, type: string): WithoutClient<StoreOperation> {
  const league = chance.pick(LEAGUES);
  const game = { league, slot: chance.pick(SLOTS) };
  const id = chance.pick(IDS);
  const fence = { league, term: chance.pick(TERMS) };
  switch (type) {
    case 'enrol':
      return { type, persona: chance.pick(PERSONAS) };
    case 'career':
    case 'history':
      return { type, id };
    case 'memory':
      return { type, id, behind: chance.percent(40) ? null : chance.below(5) - 1 };
    case 'teach':
      return {
        type,
        id,
        behind: drawBehind(chance),
        lesson: chance.pick(VALUES),
        fence: chance.percent(50) ? fence : null,
      };
    case 'personas':
    case 'leagues':
    case 'rebuild':
      return { type };
    case 'settle':
      return { type, league, matter: chance.pick(MATTERS), value: chance.pick(VALUES) };
    case 'settled':
      return { type, league, matter: chance.pick(MATTERS) };
    case 'claim':
    case 'pieces':
    case 'journal':
      return { type, game };
    case 'append': {
      const off = chance.percent(20) ? null : chance.percent(80) ? 0 : chance.below(5) - 2;
      return { type, game, behind: drawBehind(chance), off, text: chance.pick(VALUES) };
    }
    case 'record':
      return {
        type,
        result: drawResult(chance, game),
        behind: chance.percent(30) ? null : drawBehind(chance),
        journal: chance.percent(50) ? chance.pick(VALUES) : null,
      };
    case 'slots':
    case 'audit':
    case 'leader':
    case 'journals':
    case 'dropJournals':
      return { type, league };
    case 'results': {
      const bound = () => (chance.percent(40) ? undefined : chance.pick([0, 1, 2, 3, 8, 101]));
      return { type, league, least: bound(), most: bound() };
    }
    case 'discard':
      return { type, league, slots: SLOTS.filter(() => chance.percent(30)) };
    case 'lead':
      return { type, ...fence, ms: chance.pick(LEASES) };
    case 'renewLead':
      return { type, fence, ms: chance.pick(LEASES) };
    case 'resignLead':
      return { type, fence };
    default:
      throw new Error(`no such operation: ${type}`);
  }
}

/** Mostly the latest, sometimes one before it, at times one that was never given. */
function drawBehind(chance: Chance): Behind {
  return chance.percent(75) ? 0 : chance.below(4) - 1;
}

function drawResult(chance: Chance, game: Slot): GameResult {
  const colours = ['red', 'blue', 'lime'] as const;
  const seats = colours.slice(0, 1 + chance.below(colours.length)).map((colour) => {
    const { model, name } = chance.pick(PERSONAS);
    return aSeat({
      colour,
      model,
      persona: name,
      role: chance.pick(['crewmate', 'impostor'] as const),
      won: chance.percent(50),
      tally: chance.percent(50) ? { votes_impostor: chance.below(3), kills: chance.below(2) } : {},
      learned: chance.percent(30) ? [chance.pick(VALUES)] : null,
    });
  });
  return aResult({
    ...game,
    seats,
    winner: chance.pick(['crew', 'impostors', null] as const),
    rounds: 40 + chance.below(2),
    ...(chance.percent(50) ? { clock: { ms: chance.below(3) } } : {}),
  });
}

/** The numbers that a store has given, as its clients know them. */
class GivenNumbers {
  readonly #epochs = new Map<string, number>();
  readonly #pieces = new Map<string, number>();
  readonly #versions = new Map<string, number>();

  epoch(game: Slot, behind: Behind): number {
    return (this.#epochs.get(nameGame(game)) ?? 0) - behind;
  }

  pieces(game: Slot, off: number): number {
    return Math.max(0, (this.#pieces.get(nameGame(game)) ?? 0) + off);
  }

  version(id: string, behind: Behind): number {
    return Math.max(0, (this.#versions.get(id) ?? 0) - behind);
  }

  note(operation: StoreOperation, answer: unknown, at: number): void {
    if (operation.type === 'claim') this.#epochs.set(nameGame(operation.game), Number(answer));
    if (operation.type === 'append' && answer === 'appended') {
      this.#pieces.set(nameGame(operation.game), at + 1);
    }
    if (operation.type === 'record' && answer === 'recorded') {
      this.#pieces.delete(nameGame(operation.result));
    }
    if (operation.type === 'teach' && isTaught(answer)) {
      this.#versions.set(operation.id, answer.version);
    }
  }
}

function nameGame({ league, slot }: Slot): string {
  return `${slot} ${league}`;
}

function isTaught(answer: unknown): answer is { readonly version: number } {
  return typeof answer === 'object' && answer !== null && 'version' in answer;
}

/** The outcome of an operation as plain data, or the error that it throws. */
type Act = (store: Store) => Promise<unknown>;

/** One history of operations: what each of them means at its place. */
export class History {
  readonly #given = new GivenNumbers();

  /** The operation with its numbers filled in. Its answer by the model has to be noted before the next one. */
  prepare(operation: StoreOperation): {
    readonly act: Act;
    readonly note: (answer: unknown) => void;
  } {
    const at =
      operation.type === 'append' && operation.off !== null
        ? this.#given.pieces(operation.game, operation.off)
        : 0;
    const perform = performing(operation, this.#given, at);
    const act: Act = async (store) => {
      try {
        return await perform(store);
      } catch (error) {
        return { thrown: error instanceof Error ? error.constructor.name : String(error) };
      }
    };
    return { act, note: (answer) => this.#given.note(operation, answer, at) };
  }
}

function performing(operation: StoreOperation, given: GivenNumbers, at: number): Act {
  switch (operation.type) {
    case 'enrol':
      return (store) => store.enrol(operation.persona);
    case 'career':
      return (store) => store.career(operation.id);
    case 'personas':
      return (store) => store.personas();
    case 'memory': {
      const { id, behind } = operation;
      const version = behind === null ? undefined : given.version(id, behind);
      return (store) => store.memory(id, version);
    }
    case 'history':
      return (store) => store.history(operation.id);
    case 'teach': {
      const { id, behind, lesson, fence } = operation;
      const seen = given.version(id, behind);
      const change = { lessons: [aLesson(lesson)], why: 'taught' as const, barrier: lesson };
      return (store) => store.teach(id, seen, change, fence);
    }
    case 'leagues':
      return (store) => store.leagues();
    case 'settle':
      return (store) => store.settle(operation.league, operation.matter, operation.value);
    case 'settled':
      return (store) => store.settled(operation.league, operation.matter);
    case 'claim':
      return (store) => store.claim(operation.game);
    case 'append': {
      const { game, behind, text } = operation;
      const epoch = given.epoch(game, behind);
      return (store) => store.append(game, epoch, at, text);
    }
    case 'pieces':
      return (store) => store.pieces(operation.game);
    case 'record': {
      const { result, behind, journal } = operation;
      const epoch = behind === null ? null : given.epoch(result, behind);
      return (store) => store.record(result, epoch, journal === null ? null : keepText(journal));
    }
    case 'slots':
      return (store) => store.slots(operation.league);
    case 'results':
      return (store) => gathered(store.results(operation.league, operation.least, operation.most));
    case 'audit':
      return (store) => store.audit(operation.league);
    case 'discard':
      return (store) => store.discard(operation.league, operation.slots);
    case 'lead': {
      const { league, term, ms } = operation;
      return (store) => store.lead(league, { term, runner: `the runner ${term}` }, ms);
    }
    case 'renewLead':
      return (store) => store.renewLead(operation.fence, operation.ms);
    case 'resignLead':
      return (store) => store.resignLead(operation.fence);
    case 'leader':
      return (store) => store.leader(operation.league);
    case 'journals':
      return (store) => store.journals(operation.league);
    case 'journal':
      return (store) => store.journal(operation.game);
    case 'dropJournals':
      return (store) => store.dropJournals(operation.league);
    case 'rebuild':
      return (store) => store.rebuild();
    case 'reopen':
      return async () => 'open';
    default:
      return operation satisfies never;
  }
}

/** A store does not look at the bytes, so they need not be packed. */
function keepText(text: string): KeptJournal {
  return { digest: digestJournal(text), packed: new TextEncoder().encode(text) };
}

/** Everything that can be read of a store, as far as operations have names for it. */
export async function readState(store: Store): Promise<unknown> {
  const leagues = LEAGUES.map(async (league) => ({
    settled: await Promise.all(MATTERS.map((matter) => store.settled(league, matter))),
    slots: await store.slots(league),
    results: await gathered(store.results(league)),
    audit: await store.audit(league),
    journals: await store.journals(league),
    leader: await store.leader(league),
    games: await Promise.all(
      SLOTS.map(async (slot) => ({
        pieces: await store.pieces({ league, slot }),
        journal: await store.journal({ league, slot }),
        // Asked for last: it changes the epoch.
        epoch: await store.claim({ league, slot }),
      })),
    ),
  }));
  const personas = IDS.map(async (id) => ({
    career: await store.career(id),
    history: await store.history(id),
    memory: await store.memory(id),
  }));
  return {
    leagues: await Promise.all(leagues),
    names: await store.leagues(),
    personas: await Promise.all(personas),
    ids: await store.personas(),
    recount: await store.rebuild(),
    counted: await Promise.all(IDS.map((id) => store.career(id))),
  };
}
