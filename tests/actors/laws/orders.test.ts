/** Orders and replies drawn from the schema of a request, over many moments of generated games. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { drawForRound } from '../../../machines/rules/dice.ts';
import { resolveRound } from '../../../machines/rules/ship/round.ts';
import type { ActionView } from '../../../machines/rules/ship/views.ts';
import type { World } from '../../../machines/rules/ship/world.ts';
import { COLOURS } from '../../../machines/types.ts';
import type { WireField, WireSchema } from '../../../prompts/block.ts';
import { listOptions } from '../../../prompts/choices.ts';
import { readOrder } from '../../../prompts/order.ts';
import { buildPrompt } from '../../../prompts/prompt.ts';
import { anIdentity } from '../../prompts/views.ts';
import { everyNth, SEED, seeds } from '../../support/seeds.ts';
import { gossip, HABITS } from './gossip.ts';
import { aTable, following, linesOf, meet } from './meetings.ts';
import { voyage } from './voyages.ts';

type Moment = { readonly view: ActionView; readonly world: World; readonly round: number };

const TABLES = [
  [5, {}],
  [8, { kill_distance: 'long' }],
  [10, { impostors: 2, ghosts_do_tasks: true }],
] as const;

let moments: readonly Moment[] = [];
beforeAll(() => {
  const all = TABLES.flatMap(([players, options], table) =>
    Array.from({ length: seeds(1, 10) }, (_, game) => SEED + 100 * table + game).flatMap((seed) =>
      [...voyage(players, options, seed)].flatMap(({ before, asked }) =>
        asked.map(({ view }) => ({ view, world: before.world, round: before.round })),
      ),
    ),
  );
  moments = everyNth(all, 6);
});

/** The note of the engine about an order that it refuses at once; null if it carries it out. */
function refusalOf(action: object, { view, world, round }: Moment): string | null {
  const received = { internal_thought: '', action, scratchpad_updates: {} };
  const reading = readOrder(received, view);
  if (!reading.ok) throw new Error(`a fault: ${reading.text}`);
  const { decision } = reading;
  const seat = view.you.colour;
  const order = { type: 'order', seat, received, decision } as const;
  const { events } = resolveRound(world, [order], drawForRound(SEED, round));
  const refused = events.find((event) => event.type === 'intent.refused' && event.seat === seat);
  const told = decision.notes.find(({ code }) => code === 'order/refused')?.text ?? null;
  return refused?.type === 'intent.refused' ? refused.note.text : told;
}

function drawFrom(field: WireField): fc.Arbitrary<unknown> {
  if ('properties' in field) {
    const drawn = Object.entries(field.properties).map(([name, one]) => [name, drawFrom(one)]);
    return fc.record(Object.fromEntries(drawn));
  }
  if ('enum' in field) return fc.constantFrom(...(field.enum ?? []));
  if (field.type === 'array') return fc.constant([]);
  return field.type.includes('integer') ? fc.option(fc.integer({ min: 1, max: 24 })) : fc.string();
}

function ordersFrom({ properties }: WireSchema, seed: number): readonly object[] {
  const { action } = properties;
  if (action === undefined) throw new Error('a schema without an action');
  return fc.sample(drawFrom(action), { numRuns: 6, seed }).map(Object);
}

describe('orders of many moments', () => {
  test('whatever is offered is carried out', () => {
    expect(moments.length).toBeGreaterThan(40);
    for (const moment of moments) {
      for (const { action } of listOptions(moment.view)) {
        expect([action, refusalOf(action, moment)]).toEqual([action, null]);
      }
    }
  });

  test.each(['schema', 'schemaNow'] as const)(
    'whatever the %s accepts is carried out, or refused with a true reason, and never a fault',
    (name) => {
      let [drawn, refused] = [0, 0];
      for (const [index, moment] of moments.entries()) {
        const prompt = buildPrompt({ kind: 'action', view: moment.view }, anIdentity());
        const schema = prompt[name] ?? prompt.schema;
        const able = listOptions(moment.view).map(({ action }) => action);
        for (const action of ordersFrom(schema, SEED + index)) {
          const reason = refusalOf(action, moment);
          drawn += 1;
          if (reason === null) continue;
          refused += 1;
          const fields = Object.entries(action).filter(([, value]) => value !== null);
          // No order, or several, of this moment have all that this one asks for.
          const whole = able.filter((one) =>
            fields.every(([field, value]) => field === 'rounds' || one[field] === value),
          );
          expect(whole.length, `${JSON.stringify(action)}: ${reason}`).not.toBe(1);
        }
      }
      // Fields that last a game may hold any words.
      if (name === 'schemaNow') expect(refused / drawn).toBeLessThan(0.4);
    },
  );
});

describe.each(['house', 'classic'] as const)('replies of %s meetings', (rules) => {
  test('whatever the schema offers is accepted, whoever has voted or left', async () => {
    const found = { locked: 0, departed: 0, refused: 0, notes: 0 };
    for (let seed = SEED; seed < SEED + seeds(8, 100); seed++) {
      const act = gossip(seed, { ...HABITS, faults: 0.3, leaves: 0.05 });
      const recast = following((seat, request) => {
        const wanted = act(seat, request);
        if (wanted === null || 'ok' in wanted) return wanted;
        const { schemaNow, schema } = buildPrompt(request, anIdentity());
        const [received] = fc.sample(drawFrom(schemaNow ?? schema), {
          numRuns: 1,
          seed: seed + 20 * request.index + COLOURS.indexOf(seat),
        });
        return { ok: true, received };
      });
      const options = { rules, max_ticks: 12, discussion_time: 15, voting_time: 30 };
      const table = aTable({ living: 8, dead: 2 }, { options });
      for (const line of linesOf(await meet(table, seed, { recast }))) {
        if (line.type === 'vote.locked') found.locked += 1;
        if (line.type === 'seat.departed') found.departed += 1;
        if (line.type === 'vote.refused') found.refused += 1;
        if (line.type !== 'tick.closed') continue;
        const notes = line.bids.flatMap((bid) => bid.notes ?? []);
        found.notes += notes.filter(({ code }) => /vote|target/.test(code)).length;
      }
    }
    expect(found.locked).toBeGreaterThan(20);
    expect(found.departed).toBeGreaterThan(2);
    expect(found).toMatchObject({ refused: 0, notes: 0 });
  });
});
