/**
 * Random operations of stores, the same for every kind of store. Epochs, pieces and versions are drawn as offsets
 * from the latest one, so most operations are near the boundary and a shortened list still makes sense. A lead
 * lasts an hour, or no time at all.
 */
import { hashText } from '../../../actors/ports/hash.ts';
import type { KeptJournal } from '../../../actors/stores/journal.ts';
import { type PersonaName, personaId } from '../../../actors/stores/persona.ts';
import type { GameResult } from '../../../actors/stores/result.ts';
import type { LeadFence, Slot, Store } from '../../../actors/stores/store.ts';
import { readField } from '../../../machines/text.ts';
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

/** What every operation may ask about. */
type Subject = {
  readonly league: string;
  readonly game: Slot;
  readonly id: string;
  readonly fence: LeadFence;
};

/** One operation with its numbers filled in. The answer of the model has to be noted before the next one. */
type Act = {
  readonly act: (store: Store) => Promise<unknown>;
  readonly note?: (answer: unknown) => void;
};

/** `asked` is plain data for a failure's list. */
export type StoreOperation = {
  readonly client: number;
  readonly type: string;
  readonly asked: object;
  readonly prepare: (given: GivenNumbers) => Act;
};

/** The numbers that a store has given, as its clients know them. */
class GivenNumbers {
  readonly epochs = new Map<string, number>();
  readonly pieces = new Map<string, number>();
  readonly versions = new Map<string, number>();

  epoch(game: Slot, behind: number): number {
    return (this.epochs.get(nameGame(game)) ?? 0) - behind;
  }

  piece(game: Slot, off: number): number {
    return Math.max(0, (this.pieces.get(nameGame(game)) ?? 0) + off);
  }

  version(id: string, behind: number): number {
    return Math.max(0, (this.versions.get(id) ?? 0) - behind);
  }
}

function nameGame({ league, slot }: Slot): string {
  return `${slot} ${league}`;
}

type Kind = {
  /** How often it is drawn, beside the others. What changes something comes most. */
  readonly weight: number;
  readonly draw: (chance: Chance, subject: Subject) => Pick<StoreOperation, 'asked' | 'prepare'>;
};

/** An operation of drawn values, and maybe of numbers that the store has given. */
function kind<T extends object>(
  weight: number,
  draw: (subject: Subject, chance: Chance) => T,
  act: (store: Store, asked: T) => Promise<unknown>,
): Kind {
  return numbered(weight, draw, (asked) => ({ act: (store) => act(store, asked) }));
}

function numbered<T extends object>(
  weight: number,
  draw: (subject: Subject, chance: Chance) => T,
  prepare: (asked: T, given: GivenNumbers) => Act,
): Kind {
  return {
    weight,
    draw: (chance, subject) => {
      const asked = draw(subject, chance);
      return { asked, prepare: (given) => prepare(asked, given) };
    },
  };
}

const pickLeague = ({ league }: Subject) => ({ league });
const pickGame = ({ game }: Subject) => ({ game });
const pickId = ({ id }: Subject) => ({ id });
const pickFence = ({ fence }: Subject) => ({ fence });
const pickNothing = () => ({});

const KINDS: Readonly<Record<string, Kind>> = {
  enrol: kind(
    3,
    (_, chance) => ({ persona: chance.pick(PERSONAS) }),
    (store, { persona }) => store.enrol(persona),
  ),
  career: kind(3, pickId, (store, { id }) => store.career(id)),
  personas: kind(1, pickNothing, (store) => store.personas()),
  memory: numbered(
    3,
    ({ id }, chance) => ({ id, behind: chance.is(0.4) ? null : chance.below(5) - 1 }),
    ({ id, behind }, given) => {
      const version = behind === null ? undefined : given.version(id, behind);
      return { act: (store) => store.memory(id, version) };
    },
  ),
  history: kind(1, pickId, (store, { id }) => store.history(id)),
  teach: numbered(
    8,
    ({ id, fence }, chance) => ({
      id,
      behind: drawBehind(chance),
      lesson: chance.pick(VALUES),
      fence: chance.is(0.5) ? fence : null,
    }),
    ({ id, behind, lesson, fence }, given) => {
      const seen = given.version(id, behind);
      const change = { lessons: [aLesson(lesson)], why: 'taught' as const, barrier: lesson };
      return {
        act: (store) => store.teach(id, seen, change, fence),
        note: (answer) => {
          const version = readField(answer, 'version');
          if (typeof version === 'number') given.versions.set(id, version);
        },
      };
    },
  ),
  leagues: kind(2, pickNothing, (store) => store.leagues()),
  settle: kind(
    4,
    ({ league }, chance) => ({
      league,
      matter: chance.pick(MATTERS),
      value: chance.pick(VALUES),
    }),
    (store, { league, matter, value }) => store.settle(league, matter, value),
  ),
  settled: kind(
    2,
    ({ league }, chance) => ({ league, matter: chance.pick(MATTERS) }),
    (store, { league, matter }) => store.settled(league, matter),
  ),
  claim: numbered(8, pickGame, ({ game }, given) => ({
    act: (store) => store.claim(game),
    note: (answer) => void given.epochs.set(nameGame(game), Number(answer)),
  })),
  append: numbered(
    14,
    ({ game }, chance) => {
      // More pieces than there are, fewer, or null to begin anew.
      const off = chance.is(0.2) ? null : chance.is(0.8) ? 0 : chance.below(5) - 2;
      return { game, off, behind: drawBehind(chance), text: chance.pick(VALUES) };
    },
    ({ game, off, behind, text }, given) => {
      const at = off === null ? 0 : given.piece(game, off);
      const epoch = given.epoch(game, behind);
      return {
        act: (store) => store.append(game, epoch, at, text),
        note: (answer) => {
          if (answer === 'appended') given.pieces.set(nameGame(game), at + 1);
        },
      };
    },
  ),
  pieces: kind(3, pickGame, (store, { game }) => store.pieces(game)),
  record: numbered(
    14,
    ({ game }, chance) => ({
      result: drawResult(chance, game),
      behind: chance.is(0.3) ? null : drawBehind(chance),
      journal: chance.is(0.5) ? chance.pick(VALUES) : null,
    }),
    ({ result, behind, journal }, given) => {
      const epoch = behind === null ? null : given.epoch(result, behind);
      const kept = journal === null ? null : keepText(journal);
      return {
        act: (store) => store.record(result, epoch, kept),
        note: (answer) => {
          if (answer === 'recorded') given.pieces.delete(nameGame(result));
        },
      };
    },
  ),
  slots: kind(2, pickLeague, (store, { league }) => store.slots(league)),
  results: kind(
    3,
    ({ league }, chance) => {
      const bound = () => (chance.is(0.4) ? undefined : chance.pick([0, 1, 2, 3, 8, 101]));
      return { league, least: bound(), most: bound() };
    },
    (store, { league, least, most }) => gathered(store.results(league, least, most)),
  ),
  audit: kind(2, pickLeague, (store, { league }) => store.audit(league)),
  discard: kind(
    2,
    ({ league }, chance) => ({ league, slots: SLOTS.filter(() => chance.is(0.3)) }),
    (store, { league, slots }) => store.discard(league, slots),
  ),
  lead: kind(
    8,
    ({ fence }, chance) => ({ ...fence, ms: chance.pick(LEASES) }),
    (store, { league, term, ms }) => store.lead(league, { term, runner: `the runner ${term}` }, ms),
  ),
  renewLead: kind(
    6,
    ({ fence }, chance) => ({ fence, ms: chance.pick(LEASES) }),
    (store, { fence, ms }) => store.renewLead(fence, ms),
  ),
  resignLead: kind(3, pickFence, (store, { fence }) => store.resignLead(fence)),
  leader: kind(4, pickLeague, (store, { league }) => store.leader(league)),
  journals: kind(2, pickLeague, (store, { league }) => store.journals(league)),
  journal: kind(2, pickGame, (store, { game }) => store.journal(game)),
  dropJournals: kind(1, pickLeague, (store, { league }) => store.dropJournals(league)),
  rebuild: kind(1, pickNothing, (store) => store.rebuild()),
};

/** How many of ten thousand operations close a client and open it again: it takes as long as a hundred others. */
const REOPENINGS = 15;

const TYPES = Object.entries(KINDS).flatMap(([type, { weight }]) =>
  Array<string>(weight).fill(type),
);

export function drawOperations(chance: Chance, count: number): readonly StoreOperation[] {
  return Array.from({ length: count }, () => drawOperation(chance));
}

function drawOperation(chance: Chance): StoreOperation {
  const client = chance.below(CLIENTS);
  // The client goes and comes back, as after a restart.
  const isReopening = chance.below(10_000) < REOPENINGS;
  const type = isReopening ? 'reopen' : chance.pick(TYPES);
  const league = chance.pick(LEAGUES);
  const subject = {
    league,
    game: { league, slot: chance.pick(SLOTS) },
    id: chance.pick(IDS),
    fence: { league, term: chance.pick(TERMS) },
  };
  const drawn = KINDS[type]?.draw(chance, subject);
  const nothing = { asked: {}, prepare: () => ({ act: async () => 'open' }) };
  return { client, type, ...(drawn ?? nothing) };
}

/** How far before the latest number: mostly 0, at times -1, which was never given. */
function drawBehind(chance: Chance): number {
  return chance.is(0.75) ? 0 : chance.below(4) - 1;
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
      won: chance.is(0.5),
      tally: chance.is(0.5) ? { votes_impostor: chance.below(3), kills: chance.below(2) } : {},
      learned: chance.is(0.3) ? [chance.pick(VALUES)] : null,
    });
  });
  return aResult({
    ...game,
    seats,
    winner: chance.pick(['crew', 'impostors', null] as const),
    rounds: 40 + chance.below(2),
    ...(chance.is(0.5) ? { clock: { ms: chance.below(3) } } : {}),
  });
}

/** One history of operations: what each of them means at its place. */
export class History {
  readonly #given = new GivenNumbers();

  /** Returns the outcome of an operation as plain data, or the error that it throws. */
  prepare(operation: StoreOperation): Required<Act> {
    const { act, note = () => {} } = operation.prepare(this.#given);
    return {
      act: async (store) => {
        try {
          return await act(store);
        } catch (error) {
          return { thrown: error instanceof Error ? error.constructor.name : String(error) };
        }
      },
      note,
    };
  }
}

/** A store does not look at the bytes, so they need not be packed. */
function keepText(text: string): KeptJournal {
  return { digest: hashText(text), packed: new TextEncoder().encode(text) };
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
