/**
 * The scripts of the limiter that all machines share.
 *
 * Time is the server's. Whoever has room holds a lease, which ends by itself when nobody renews it; whoever waits stands
 * in a line, the living before ghosts, and loses the place when it has not asked for a while.
 */

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Asks for room. Keys: leases, begun, line, seen. Values: who asks, the lease, leases at once, milliseconds of a lease,
 * requests in a minute or '', milliseconds of the minute, milliseconds of a place in the line, 1 for a ghost or 0.
 */
const enter = `${clock}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[6])
if redis.call('ZSCORE', KEYS[1], ARGV[2]) then return 'go' end
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now - ARGV[7])) do
  redis.call('ZREM', KEYS[3], gone)
  redis.call('ZREM', KEYS[4], gone)
end
redis.call('ZADD', KEYS[3], 'LT', string.format('%.0f', now + ARGV[8] * 1e14), ARGV[1])
redis.call('ZADD', KEYS[4], now, ARGV[1])
redis.call('PEXPIRE', KEYS[3], ARGV[7])
redis.call('PEXPIRE', KEYS[4], ARGV[7])
local place = redis.call('ZRANK', KEYS[3], ARGV[1])
if redis.call('ZCARD', KEYS[1]) + place >= tonumber(ARGV[3]) then return 'wait' end
if ARGV[5] ~= '' and redis.call('ZCARD', KEYS[2]) + place >= tonumber(ARGV[5]) then return 'wait' end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZADD', KEYS[1], now + ARGV[4], ARGV[2])
redis.call('ZADD', KEYS[2], now, ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return 'go'`;

/** Renews leases. Keys: leases. Values: milliseconds of a lease, then the leases. */
const renew = `${clock}
for at = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[at]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return #ARGV - 1`;

export const LIMITER_SCRIPTS = { enter, renew } as const;
