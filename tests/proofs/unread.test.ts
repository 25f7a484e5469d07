/**
 * Changes every field of every fact, message, input and output of a meeting in every step of small
 * meetings, and some property must notice. A table lists the exceptions with their reasons.
 */
import { isDeepStrictEqual } from 'node:util';
import { check, type MachineEffect, type MachineStep } from 'glass-box-checker';
import { expect, test } from 'vitest';
import type { GalleryContext } from '../../machines/charts/gallery.ts';
import type { ToGallery } from '../../machines/messages.ts';
import type { MeetingSetup } from '../../machines/rules/meeting.ts';
import type { GameFact } from '../../machines/rules/ship/game.ts';
import { createGameModel, SMALL_GAMES } from '../../proofs/checks/games.ts';
import { arbiterTicksModel, FLOOR_OPTIONS } from '../../proofs/models/arbiterTicks.ts';
import { createGalleryModel } from '../../proofs/models/gallery.ts';
import { classicTable, houseTable, type MeetingKnobs } from '../../proofs/models/meeting.ts';
import type { ActorOutput } from '../../proofs/models/meetingSystem.ts';
import { listMeetingProperties } from '../../proofs/properties/meeting.ts';
import { factTypes, type MeetingTransition, readFacts } from '../../proofs/properties/property.ts';
import type { ShipTransition } from '../../proofs/properties/shipSteps.ts';
import { seeds, testLong } from '../support/seeds.ts';
import { aModel } from './models.ts';

const UNREAD: Readonly<Record<string, string>> = {
  'vote.refused.note.text':
    'its words are free: what they must name is held, and the tables of the rules hold the rest',
};

const SIGHTS = 'the sights of a round have no order of their own';
const UNREAD_IN_GAMES: Readonly<Record<string, string>> = {
  'round.closed.events[].note.code': 'what must be refused is held, and tests have every code',
  'round.closed.events[].note.text': 'its words are free',
  'round.closed.seen.blue (turned round)': SIGHTS,
  'round.closed.seen.green (turned round)': SIGHTS,
  'round.closed.seen.orange (turned round)': SIGHTS,
  'round.closed.seen.pink (turned round)': SIGHTS,
  'round.closed.seen.red (turned round)': SIGHTS,
};

/** So many steps of one kind are tried: from one place to another, with facts of the same types. */
const MOST_ALIKE = seeds(10, 20);

const ENVIRONMENT: MeetingKnobs = {
  faults: true,
  combinations: 'some',
  departures: 1,
  stops: true,
};

const WORLDS: readonly MeetingSetup[] = [
  houseTable({ impostors: ['red'] }),
  classicTable({ impostors: ['red'] }),
  houseTable({ impostors: ['red'], anonymousVotes: true, beatMs: 1 }),
];

type Change<T = unknown> = readonly [path: string, make: () => T];

function* changesOf(value: unknown, path: string): Generator<Change> {
  if (typeof value === 'boolean') yield [path, () => !value];
  else if (typeof value === 'number') yield [path, () => value + 1];
  else if (typeof value === 'string') yield [path, () => `${value}!`];
  else if (value === null || value === undefined) yield [path, () => 'red'];
  else if (Array.isArray(value)) yield* changesOfList(value, path);
  else yield* changesOfFields(value, path);
}

function* changesOfList(list: readonly unknown[], path: string): Generator<Change> {
  if (list.length > 0) yield [`${path} (one less)`, () => list.slice(0, -1)];
  yield [`${path} (one more)`, () => [...list, list[0] ?? 'red']];
  if (!isDeepStrictEqual(list, list.toReversed()))
    yield [`${path} (turned round)`, () => list.toReversed()];
  for (const [index, item] of list.entries()) {
    for (const [inner, make] of changesOf(item, `${path}[]`)) {
      yield [inner, () => list.with(index, make())];
    }
  }
}

function* changesOfFields(fields: object, path: string): Generator<Change> {
  for (const [name, part] of Object.entries(fields)) {
    if (name === 'type') continue;
    for (const [inner, make] of changesOf(part, `${path}.${name}`)) {
      yield [inner, () => ({ ...fields, [name]: make() })];
    }
  }
}

type Effects = readonly MachineEffect[];

function* changedEffects(effects: Effects): Generator<Change<Effects>> {
  for (const [index, effect] of effects.entries()) {
    const { type, params } = effect;
    const replaced = (other: unknown) => effects.with(index, { type, params: other });
    const leftOut = () => effects.toSpliced(index, 1);
    if (type === 'announceFacts') yield* changedFacts(params, replaced);
    else if (type === 'xstate.emit' && Object.hasOwn(params as object, 'facts'))
      yield* changedFacts(params, (facts) =>
        replaced({ ...(params as object), ...(facts as object) }),
      );
    else if (type === 'xstate.emit') yield* changedMessages(params, replaced);
    else if (type === 'xstate.sendTo') {
      const { event } = params as { readonly event: { readonly type: string } }; // as steppers say it
      const name = `message: ${event.type}`;
      for (const [path, make] of changesOf(event, name)) {
        yield [path, () => replaced({ ...(params as object), event: make() })];
      }
      yield [`${name} (left out)`, leftOut];
      yield [`${name} (twice)`, () => [...effects, effect]];
    } else if (type === 'xstate.output') {
      for (const [path, make] of changesOf(params, 'output')) {
        yield [path, () => replaced(make())];
      }
      yield ['output (left out)', leftOut];
    }
  }
}

function* changedMessages(
  params: unknown,
  replaced: (other: unknown) => Effects,
): Generator<Change<Effects>> {
  const { messages, ...rest } = params as Extract<ActorOutput, { type: 'messages' }>; // it emits nothing else
  for (const [at, sent] of messages.entries()) {
    const name = `message: ${sent.message.type}`;
    const put = (...instead: readonly unknown[]) =>
      replaced({ ...rest, messages: messages.toSpliced(at, 1, ...(instead as typeof messages)) });
    yield [`${name} (left out)`, () => put()];
    yield [`${name} (twice)`, () => put(sent, sent)];
    for (const [path, make] of changesOf(sent, name)) yield [path, () => put(make())];
  }
}

function* changedFacts(
  params: unknown,
  replaced: (other: unknown) => Effects,
): Generator<Change<Effects>> {
  const { facts } = params as { readonly facts: readonly { readonly type: string }[] }; // its parameters
  for (const [at, fact] of facts.entries()) {
    yield [`${fact.type} (left out)`, () => replaced({ facts: facts.toSpliced(at, 1) })];
    yield [`${fact.type} (twice)`, () => replaced({ facts: [...facts, fact] })];
    for (const [path, make] of changesOf(fact, fact.type)) {
      yield [path, () => replaced({ facts: facts.toSpliced(at, 1, make() as typeof fact) })]; // of its type
    }
  }
}

type Judging<Step> = {
  readonly when?: (step: Step) => boolean;
  readonly holds: (step: Step) => boolean | string;
};

/** A property that throws has noticed as well: values of no game can be of another shape. */
function isNoticed<Step>(properties: readonly Judging<Step>[], step: Step): boolean {
  try {
    return properties.some(({ when, holds }) => (when?.(step) ?? true) && holds(step) !== true);
  } catch {
    return true;
  }
}

type SeenStep = {
  readonly before: { readonly at: string };
  readonly after: { readonly at: string };
  readonly effects: Effects;
};

/** Tries changes of the steps that it sees, and keeps the paths that a property notices and those that none does. */
class Changes {
  readonly noticed = new Set<string>();
  readonly #unnoticed = new Set<string>();
  #alike = new Map<string, number>();

  get unnoticed(): readonly string[] {
    return [...this.#unnoticed].filter((path) => !this.noticed.has(path)).toSorted();
  }

  /** A property that holds and tries the changes of each step. */
  looking<Step extends SeenStep>(
    properties: readonly Judging<Step>[],
    describe: (step: Step) => string,
    changedState: (step: Step) => Iterable<Change<Step>> = () => [],
  ) {
    this.#alike = new Map();
    const holds = (step: Step): boolean => {
      const kind = `${step.before.at} ${step.after.at} ${describe(step)}`;
      const times = this.#alike.get(kind) ?? 0;
      this.#alike.set(kind, times + 1);
      if (times >= MOST_ALIKE) return true;
      const tryChange = (path: string, make: () => Step) => {
        if (this.noticed.has(path)) return;
        (isNoticed(properties, make()) ? this.noticed : this.#unnoticed).add(path);
      };
      for (const [path, make] of changedEffects(step.effects))
        tryChange(path, () => ({ ...step, effects: make() }));
      for (const [path, make] of changedState(step)) tryChange(path, make);
      return true;
    };
    return { name: 'look', sentence: 'Looks.', kind: 'step', holds } as const;
  }
}

/** A round is of one kind with the types of its events. */
const kindOf = (fact: GameFact) =>
  fact.type === 'round.closed' ? fact.events.map(({ type }) => type).join('+') : fact.type;

/** The map, the options and the tasks never change. */
function* changedCourse(step: ShipTransition): Generator<Change<ShipTransition>> {
  const { context } = step.after;
  const { ship, ...world } = context.world;
  const fields = { ...context, world };
  for (const [path, make] of changesOf(fields, 'game') as Iterable<Change<typeof fields>>) {
    yield [
      path,
      () => {
        const changed = make();
        const after = { ...context, ...changed, world: { ship, ...changed.world } };
        return { ...step, after: { ...step.after, context: after } };
      },
    ];
  }
}

testLong('a property notices every change of the facts, messages and output of a meeting', () => {
  const changes = new Changes();
  for (const setting of WORLDS) {
    const steps = listMeetingProperties(setting, ENVIRONMENT).filter((one) => one.kind === 'step');
    const look = changes.looking<MeetingTransition>(steps, (step) => factTypes(step).join());
    const model = { ...aModel(setting, ENVIRONMENT), properties: [look] };
    check(model, { isSymmetric: true, purity: 'some-steps' });
  }
  expect(changes.unnoticed).toEqual(Object.keys(UNREAD));
  expect(changes.noticed.size).toBeGreaterThan(150);
});

test('a property notices every change of the facts and messages of the arbiter', () => {
  const changes = new Changes();
  for (const options of Object.entries(FLOOR_OPTIONS)) {
    const model = arbiterTicksModel(options);
    const steps = model.properties.flatMap((one) => (one.kind === 'step' ? [one] : []));
    const look = changes.looking(steps, ({ event }) => event.type);
    check({ ...model, properties: [look] });
  }
  expect(changes.unnoticed).toEqual([]);
  expect(changes.noticed.size).toBeGreaterThan(60);
});

type SeenGalleryStep = MachineStep<GalleryContext, ToGallery>;

const GALLERY_UNREAD = ['pink', 'blue'].flatMap((seat) =>
  ['draw', 'face'].map((part) => `message: turn.ended.message.dice.${seat}.${part}`),
);

test('a property notices every change of the facts, messages and memory of the gallery', () => {
  const changes = new Changes();
  const model = createGalleryModel();
  const steps = model.properties.flatMap((one) => (one.kind === 'step' ? [one] : []));
  const look = changes.looking(
    steps,
    ({ event }) => event.type,
    function* (step): Generator<Change<SeenGalleryStep>> {
      const { after } = step;
      for (const [path, make] of changesOf(after.context, 'gallery')) {
        const context = () => make() as GalleryContext; // of its fields
        yield [path, () => ({ ...step, after: { ...after, context: context() } })];
      }
    },
  );
  check({ ...model, properties: [look] });
  expect(changes.unnoticed).toEqual(GALLERY_UNREAD.toSorted());
  expect(changes.noticed.size).toBeGreaterThan(60);
});

testLong('a property notices every change of the world, the record and the facts of a game', () => {
  const changes = new Changes();
  for (const game of Object.values(SMALL_GAMES)) {
    const model = createGameModel(game);
    const steps = model.properties.filter((one) => one.kind === 'step');
    const look = changes.looking<ShipTransition>(
      steps,
      (step) => readFacts<GameFact>(step.effects).map(kindOf).join(),
      changedCourse,
    );
    check({ ...model, properties: [look] }, { isSymmetric: true, purity: 'some-steps' });
  }
  expect(changes.unnoticed).toEqual(Object.keys(UNREAD_IN_GAMES));
  expect(changes.noticed.size).toBeGreaterThan(200);
});
