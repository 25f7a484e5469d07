import { beforeAll, describe, expect, test } from 'vitest';
import { writeReflection, writeRequest } from '../../../actors/minds/own/requestMessage.ts';
import type { Overheard } from '../../../analysis/models/prompts.ts';
import { SECONDS_PER_ROUND } from '../../../machines/rules/options.ts';
import { startRecord } from '../../../machines/rules/record.ts';
import { joinBlocks } from '../../../prompts/block.ts';
import { readOrder } from '../../../prompts/order.ts';
import { pickIdentity } from '../../../prompts/personas.ts';
import { buildPrompt } from '../../../prompts/prompt.ts';
import { readReply } from '../../../prompts/reply.ts';
import { collectMarked, ownersIn } from '../../prompts/canaries.ts';
import { requestsOf } from './requests.ts';

const SEED = 987_654_321;
const identity = pickIdentity({ temperament: 'observer' }, `game-${SEED}`);
const frame = { game: 'any', identity, times: { table: 1000, ship: 2000 } };
const messageOf = ({ request }: Overheard) => writeRequest(request, 7, frame);

let requests: readonly Overheard[] = [];
beforeAll(async () => {
  requests = await requestsOf(SEED, 8);
});

describe('the message of a request', () => {
  test('every request matches the schema, field by field', () => {
    const kinds = new Set(requests.map(({ request }) => request.kind));
    expect([...kinds].toSorted()).toEqual(
      expect.arrayContaining(['action', 'consolidation', 'discussion', 'ghost', 'reaction']),
    );
    for (const asked of requests) {
      // Writing a message parses it.
      const message = messageOf(asked);
      expect(JSON.parse(JSON.stringify(message))).toEqual(message);
    }
  });

  test('a message has the values of the view under the names of the protocol', () => {
    for (const asked of requests) {
      const { request } = asked;
      const { you: self, table, ship, record, choices } = messageOf(asked);
      const phase = request.kind === 'ghost' ? request.view.requestKind : request.kind;
      const isMain = phase === 'action' || phase === 'consolidation';
      expect(choices.page).toBe(isMain ? 'main_scratch' : 'meeting_scratch');
      if (request.kind === 'ghost') continue;
      if (request.kind === 'action') {
        const { scene, you, round } = request.view;
        expect(ship).toMatchObject({ going_on_with: scene.intent, kill_wait: scene.killWait });
        expect(ship).toMatchObject({ button_wait: scene.buttonWait, living: scene.seats });
        const ages = you.memory.map(({ until }) => (round - until) * SECONDS_PER_ROUND);
        expect(record.seen.map(({ ago }) => ago)).toEqual(ages);
        const recent = you.deeds.map(({ round: at }) => (round - at) * SECONDS_PER_ROUND);
        const earlier = you.past.deeds.map(({ ago }) => ago);
        expect(self.past.deeds.map(({ ago }) => ago)).toEqual([...earlier, ...recent]);
      } else {
        const { votesOpen, anonymousVotes, confirmEjects } = request.view.table;
        expect(table).toMatchObject({ votes_open: votesOpen, ballot: request.view.you.ballot });
        expect(table).toMatchObject({
          anonymous_votes: anonymousVotes,
          confirm_ejects: confirmEjects,
        });
      }
    }
  });

  test('has the prompt as a model is sent it, and the deadline of its kind', () => {
    for (const asked of requests) {
      const { prompt, deadline_ms, kind, seat } = messageOf(asked);
      const { system, user, schema } = buildPrompt(asked.request, identity);
      expect([prompt.system, prompt.user]).toEqual([joinBlocks(system), joinBlocks(user)]);
      expect(prompt.schema).toEqual(schema);
      expect([seat, deadline_ms]).toEqual([asked.seat, kind === 'action' ? 2000 : 1000]);
    }
  });

  test('a message does not reveal the seed, which reveals all roles', () => {
    for (const asked of requests) expect(JSON.stringify(messageOf(asked))).not.toContain(`${SEED}`);
  });

  test('offers choices that are read as they are, without a correction', () => {
    let [actions, votes] = [0, 0];
    for (const asked of requests) {
      const { choices, kind } = messageOf(asked);
      for (const action of choices.actions) {
        const reading = readOrder({ action });
        expect(reading).toMatchObject({
          ok: true,
          decision: { intent: { type: action.type }, notes: [] },
        });
        actions += 1;
      }
      for (const vote of choices.votes) {
        expect(readReply({ vote_action: vote })).toMatchObject({
          ok: true,
          reply: { vote, notes: [] },
        });
        votes += 1;
      }
      if (kind === 'action') expect(choices.actions).not.toEqual([]);
      else expect(choices.actions).toEqual([]);
    }
    expect(actions).toBeGreaterThan(1000);
    expect(votes).toBeGreaterThan(10);
  });

  test('a request for reflection matches the schema too', () => {
    const [you] = requests.flatMap(({ request }) =>
      request.kind === 'action' ? [request.view.you] : [],
    );
    if (you === undefined) throw new Error('a game has a round');
    const seats = [{ colour: 'red', role: 'impostor', standing: 'dead' }] as const;
    const record = startRecord(1);
    const view = { you, record, ending: { winner: 'crew', reason: 'vote' }, seats } as const;
    const message = writeReflection(view, 8, frame);
    expect(message).toMatchObject({ kind: 'reflection', ending: { winner: 'crew', seats } });
  });
});

describe('secrets', () => {
  let marked: readonly Overheard[] = [];
  beforeAll(async () => {
    marked = await collectMarked();
  });

  test("no message has thoughts of others, and each has the player's own notes", () => {
    expect(marked.length).toBeGreaterThan(10);
    for (const asked of marked) {
      const text = JSON.stringify(messageOf(asked));
      expect(ownersIn(text)).toEqual(new Set([asked.seat]));
      expect(text).not.toContain('-thought');
    }
  });

  test('of the roles are in no message to the living, apart from the own one', () => {
    const living = requests.filter(({ request }) => request.kind !== 'ghost');
    for (const asked of living) {
      const { you, prompt: _, known, ...rest } = messageOf(asked);
      if (rest.table?.announced?.role != null) continue;
      // The roles of the ejected were announced to everybody.
      const announced = known?.meetings.filter(({ result }) => result?.role != null) ?? [];
      expect(JSON.stringify(known).match(/"role":"/g) ?? []).toHaveLength(announced.length);
      expect(JSON.stringify(rest)).not.toMatch(/"role":"|"impostor"/);
      if (you.role === 'crewmate') expect(you.partners).toEqual([]);
    }
  });
});
