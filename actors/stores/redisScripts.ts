/** The scripts of the Redis store: each runs on the server in one step. */
import { LIMITER_SCRIPTS } from './limiterScripts.ts';

/** Enrols a pair of model and name. Keys: ids, sheet. Values: id, model, name. */
const enrol = `
local model = redis.call('HGET', KEYS[2], 'model')
if model then
  if model == ARGV[2] and redis.call('HGET', KEYS[2], 'name') == ARGV[3] then return 'known' end
  return 'taken'
end
redis.call('HSET', KEYS[2], 'model', ARGV[2], 'name', ARGV[3])
redis.call('SADD', KEYS[1], ARGV[1])
return 'new'`;

/** Adds a version to a memory. Keys: memory. Values: the version that was seen, the change, versions to keep. */
const teach = `
local latest = tonumber(redis.call('HGET', KEYS[1], 'latest') or '0')
if latest ~= tonumber(ARGV[1]) then return {'stale', latest} end
redis.call('HSET', KEYS[1], 'latest', latest + 1, latest + 1, ARGV[2])
redis.call('HDEL', KEYS[1], latest + 1 - tonumber(ARGV[3]))
return {'taught', latest + 1}`;

/** Settles a matter. Keys: leagues, matters. Values: league, matter, value. */
const settle = `
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3])
return redis.call('HGET', KEYS[2], ARGV[2])`;

/** Adds a piece to a journal. Keys: epochs, journal. Values: slot, epoch, pieces that should be there, piece. */
const append = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 'fenced' end
if ARGV[3] == '0' then redis.call('DEL', KEYS[2]) end
if redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[3]) then return 'gap' end
redis.call('RPUSH', KEYS[2], ARGV[4])
return 'appended'`;

/**
 * Keeps a result and counts it. Keys: leagues, results, epochs, recorded, ids, then sheet and counters of each persona.
 * Values: league, slot, epoch or '', body, clock, then for each persona id, model, name, how many counters, and these.
 */
const record = `
local known = redis.call('HGET', KEYS[2], ARGV[2])
if known then
  if string.sub(known, 1, #ARGV[4] + 1) == ARGV[4] .. '\\n' then return 'duplicate' end
  return 'conflict'
end
if ARGV[3] ~= '' and redis.call('HGET', KEYS[3], ARGV[2]) ~= ARGV[3] then return 'fenced' end
local at = 6
for key = 6, #KEYS, 2 do
  local model = redis.call('HGET', KEYS[key], 'model')
  if model and (model ~= ARGV[at + 1] or redis.call('HGET', KEYS[key], 'name') ~= ARGV[at + 2]) then
    return 'taken'
  end
  at = at + 4 + 2 * tonumber(ARGV[at + 3])
end
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[4] .. '\\n' .. ARGV[5])
redis.call('INCR', KEYS[4])
at = 6
for key = 6, #KEYS, 2 do
  redis.call('HSET', KEYS[key], 'model', ARGV[at + 1], 'name', ARGV[at + 2])
  redis.call('SADD', KEYS[5], ARGV[at])
  local last = at + 3 + 2 * tonumber(ARGV[at + 3])
  for field = at + 4, last, 2 do
    redis.call('HINCRBY', KEYS[key + 1], ARGV[field], ARGV[field + 1])
  end
  at = last + 1
end
return 'recorded'`;

/** Replaces counters unless a result came meanwhile. Keys: recorded, counters. Values: recorded before, counters. */
const recount = `
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then return 'moved' end
redis.call('DEL', KEYS[2])
for field = 2, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[field], ARGV[field + 1]) end
return 'recounted'`;

export const SCRIPTS = {
  enrol,
  teach,
  settle,
  append,
  record,
  recount,
  ...LIMITER_SCRIPTS,
} as const;
export type ScriptName = keyof typeof SCRIPTS;
