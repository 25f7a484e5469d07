import { expect } from 'vitest';
import { NO_LIMIT } from '../../../../actors/minds/openai/budget.ts';
import { MatchModels } from '../../../../actors/minds/openai/matchModels.ts';
import { realTime } from '../../../../actors/ports/time.ts';
import { FakeEndpoint } from '../../../support/endpoint/fakeEndpoint.ts';
import { testLong } from '../../../support/seeds.ts';
import {
  departuresOf,
  faultsOf,
  isClosed,
  modelTable,
  playModels,
  toLines,
} from './slowServers.ts';

/** Milliseconds of work for an answer, and of a deadline that only the first of a queue would keep. */
const WORK_MS = 1000;
const DEADLINE_MS = 2500;

/** An endpoint that works on one request after another, once it has loaded its model. */
function openSerial(workMs: number, loadMs: number): Promise<FakeEndpoint> {
  let last = realTime.sleep(loadMs);
  return FakeEndpoint.open({
    thought: () => {
      last = last.then(() => realTime.sleep(workMs));
      return last;
    },
  });
}

testLong.each([
  { what: 'eight requests at once', concurrency: 8, perMinute: null, loadMs: 0 },
  { what: 'one request at a time', concurrency: 1, perMinute: null, loadMs: 0 },
  { what: 'a queue and a minute with little room', concurrency: 8, perMinute: 30, loadMs: 0 },
  { what: 'a model that loads for long', concurrency: 8, perMinute: null, loadMs: 4 * DEADLINE_MS },
])(
  'at a serial server, with $what, nobody is late or asked twice',
  async ({ loadMs, ...limits }) => {
    const endpoint = await openSerial(WORK_MS, loadMs);
    const { baseUrl } = endpoint;
    const options = { deadline_ms: DEADLINE_MS, max_ticks: 3, vote_after: 3 };
    const match = modelTable(8, 8, options, baseUrl);
    const models = new MatchModels({ seed: 1, prices: {}, budget: NO_LIMIT, limits });
    const journal = await playModels(match, 1, models).finally(() => endpoint.close());
    const lines = toLines(journal);
    expect(faultsOf({ lines })).toEqual([]);
    expect(departuresOf({ lines })).toEqual([]);
    expect(isClosed({ lines })).toBe(true);
    expect(endpoint.asked.length).toBe(models.spent.calls);
    expect(endpoint.asked.length).toBe(new Set(endpoint.asked.map(({ text }) => text)).size);
  },
);
