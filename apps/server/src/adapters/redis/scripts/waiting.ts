import { listExperiment, queueKeys, renewQueue } from './queue.ts'

/**
 * ARGV: experiment, lifetime of the keys in seconds, now, present until, since when claims count, since when arrivals
 * are recent, how many arrivals are kept; then id, arrival and JSON of each person. Returns the number of people
 * present, then position and arrival of each person, with position 0 for claimed ones.
 *
 * The position is the rank by arrival minus the absent people before it: they are few, so nobody has to walk the whole
 * queue.
 */
export const keepPeople = /* lua */ `
${queueKeys}${listExperiment}${renewQueue}
local experimentId, seconds, now, presentUntil, claimsSince, recentSince, maxRecent = unpack(ARGV)
redis.call('ZREMRANGEBYSCORE', assigned, '-inf', claimsSince)
for at = 8, #ARGV, 3 do
  local id, arrivedAt, person = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  if not redis.call('ZSCORE', assigned, id) then
    if redis.call('ZADD', arrivals, 'NX', arrivedAt, id) == 1 then
      redis.call('SADD', participants, id)
      redis.call('ZADD', recent, arrivedAt, id)
    end
    redis.call('ZADD', presence, presentUntil, id)
    redis.call('HSET', people, id, person)
  end
end
redis.call('ZREMRANGEBYSCORE', recent, '-inf', '(' .. recentSince)
redis.call('ZREMRANGEBYRANK', recent, 0, -1 - maxRecent)
listExperiment(experimentId)
renewQueue(seconds)

local absentRanks = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', presence, '-inf', '(' .. now)) do
  absentRanks[#absentRanks + 1] = redis.call('ZRANK', arrivals, id)
end
table.sort(absentRanks)
local function absentBefore(rank)
  local low, high = 0, #absentRanks
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if absentRanks[middle] < rank then low = middle else high = middle - 1 end
  end
  return low
end

local reply = { redis.call('ZCARD', presence) - #absentRanks }
for at = 8, #ARGV, 3 do
  local rank = redis.call('ZRANK', arrivals, ARGV[at])
  reply[#reply + 1] = rank and rank + 1 - absentBefore(rank) or 0
  reply[#reply + 1] = rank and redis.call('ZSCORE', arrivals, ARGV[at]) or ''
end
return reply
`

/** ARGV: experiment, then ids. Returns those who were in the queue. */
export const removePeople = /* lua */ `
${queueKeys}${listExperiment}
local gone = {}
for at = 2, #ARGV do
  local id = ARGV[at]
  if redis.call('ZREM', arrivals, id) == 1 then
    redis.call('ZREM', presence, id)
    redis.call('HDEL', people, id)
    redis.call('SREM', participants, id)
    gone[#gone + 1] = id
  end
end
listExperiment(ARGV[1])
return gone
`

/** KEYS: arrivals, presence, people. One consistent view, which the caller puts together. */
export const readQueue = /* lua */ `
return {
  redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'),
  redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES'),
  redis.call('HGETALL', KEYS[3]),
}
`

/**
 * KEYS: experiments. ARGV: key pattern of arrivals. A queue that expired leaves its experiment behind, which is
 * dropped here.
 */
export const readExperiments = /* lua */ `
local waitedFor = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  if redis.call('EXISTS', string.format(ARGV[1], id)) == 1 then
    waitedFor[#waitedFor + 1] = id
  else
    redis.call('SREM', KEYS[1], id)
  end
end
return waitedFor
`

/** KEYS: leader. ARGV: instance, ms. */
export const takeLead = /* lua */ `
if (redis.call('GET', KEYS[1]) or ARGV[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`
