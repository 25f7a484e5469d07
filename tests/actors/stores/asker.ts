import { SharedLimiter } from '../../../actors/stores/limiter.ts';
import { connectRedis } from '../../../actors/stores/redis.ts';

const [, , address = '', endpoint = '', concurrency = '1', perMinute = '', count = '1'] =
  process.argv;
/** Milliseconds: of a minute that only ends when a test says so. */
const TIMES = { leaseMs: 5000, minuteMs: 3_600_000 };
const link = await connectRedis(address, { isPatient: true });
const limits = {
  concurrency: Number(concurrency),
  perMinute: perMinute === '' ? null : Number(perMinute),
};
const model = { baseUrl: endpoint, model: 'fake' };
const limiter = new SharedLimiter(link, model, limits, { times: TIMES });
const signal = new AbortController().signal;
process.stdout.write('ready\n');
await Promise.all(
  Array.from({ length: Number(count) }, () =>
    limiter.run('living', signal, async () => {
      const response = await fetch(endpoint);
      process.stdout.write(`${await response.text()}\n`);
    }),
  ),
);
link.close();
