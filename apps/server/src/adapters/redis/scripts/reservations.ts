import { loadOfPod, ownerOfRoom } from './pods.ts'
import { listExperiment, queueKeys, renewQueue } from './queue.ts'

/**
 * KEYS: the queue, reservations, reservations by time; room, and lease, rooms, reserved of the instance. ARGV: experiment,
 * lifetime of queue keys in seconds, now, until, room id, assignment, its lifetime in seconds, reservation; then the
 * ids of the members. Returns 'claimed', or the reason and whom it concerns.
 *
 * The reservation also keeps what is needed to put people back in their place. Texts we were given stay texts:
 * decoding and encoding them here would turn every [] into {}.
 */
export const claimGroup = /* lua */ `
${queueKeys}${listExperiment}${loadOfPod}
local reservations, reservationsUntil = KEYS[8], KEYS[9]
local room, lease, rooms, reserved = KEYS[10], KEYS[11], KEYS[12], KEYS[13]
local experimentId, seconds, now, untilTime, roomId, assignment, roomSeconds, reservation = unpack(ARGV)
local members = { select(9, unpack(ARGV)) }

local refusal = { 'people_gone' }
for at, presentUntil in ipairs(redis.call('ZMSCORE', presence, unpack(members))) do
  if not presentUntil or tonumber(presentUntil) < tonumber(now) then refusal[#refusal + 1] = members[at] end
end
if #refusal > 1 then return refusal end

local function podCanTakeIt()
  local pod = cjson.decode(redis.call('GET', lease))
  if pod.draining then return false end
  local roomCount, participantCount, soloCount = loadOfPod(rooms, reserved)
  -- As in capacity.plan.ts.
  local function spared(max)
    return #members > 1 and math.max(0, soloCount - math.floor(max / 2)) or 0
  end
  return roomCount - spared(pod.maxRooms) < pod.maxRooms
    and participantCount - spared(pod.maxParticipants) + #members <= pod.maxParticipants
end
local isReadable, canTakeIt = pcall(podCanTakeIt)
if not (isReadable and canTakeIt) then return { 'pod_unfit' } end
if redis.call('EXISTS', room) == 1 then return { 'room_exists' } end

local arrivedAt = redis.call('ZMSCORE', arrivals, unpack(members))
local described = redis.call('HMGET', people, unpack(members))
redis.call('HSET', reservations, roomId, cjson.encode({ reservation, members, arrivedAt, described }))
redis.call('ZADD', reservationsUntil, untilTime, roomId)
redis.call('SET', room, assignment, 'EX', roomSeconds)
redis.call('HSET', reserved, roomId, #members)
redis.call('ZREM', arrivals, unpack(members))
redis.call('ZREM', presence, unpack(members))
redis.call('HDEL', people, unpack(members))
redis.call('SREM', participants, unpack(members))
for _, id in ipairs(members) do redis.call('ZADD', assigned, now, id) end
for _, key in ipairs({ reserved, reservations, reservationsUntil, assigned }) do redis.call('EXPIRE', key, seconds) end
listExperiment(experimentId)
return { 'claimed' }
`

const endReservation = /* lua */ `
local function endReservation(reservations, reservationsUntil, reserved, roomId)
  redis.call('HDEL', reservations, roomId)
  redis.call('ZREM', reservationsUntil, roomId)
  redis.call('HDEL', reserved, roomId)
end
`

/** KEYS: reservations, reservations by time, reserved of the instance. ARGV: room id. */
export const settleReservation = /* lua */ `
${endReservation}
endReservation(KEYS[1], KEYS[2], KEYS[3], ARGV[1])
`

/**
 * KEYS: the queue, reservations, reservations by time, room, reserved of the instance. ARGV: experiment, seconds, instance, room
 * id, present until; then the ids of those who still wait.
 */
export const releaseReservation = /* lua */ `
${queueKeys}${listExperiment}${renewQueue}${ownerOfRoom}${endReservation}
local experimentId, seconds, podId, roomId, presentUntil = unpack(ARGV)
local text = redis.call('HGET', KEYS[8], roomId)
if not text then return end

local stillWaits = {}
for at = 6, #ARGV do stillWaits[ARGV[at]] = true end
local _, members, arrivedAt, described = unpack(cjson.decode(text))
for at, id in ipairs(members) do
  redis.call('ZREM', assigned, id)
  if stillWaits[id] then
    redis.call('ZADD', arrivals, arrivedAt[at], id)
    redis.call('ZADD', presence, presentUntil, id)
    redis.call('HSET', people, id, described[at])
    redis.call('SADD', participants, id)
  end
end
endReservation(KEYS[8], KEYS[9], KEYS[11], roomId)
if ownerOfRoom(KEYS[10]) == podId then redis.call('DEL', KEYS[10]) end
listExperiment(experimentId)
renewQueue(seconds)
`

const readReservations = /* lua */ `
local function readReservations(reservations, roomIds)
  local found = {}
  for _, roomId in ipairs(roomIds) do
    found[#found + 1] = redis.call('HGET', reservations, roomId) or nil
  end
  return found
end
`

/** KEYS: reservations, reserved of the instance. */
export const readReservedFor = /* lua */ `
${readReservations}
return readReservations(KEYS[1], redis.call('HKEYS', KEYS[2]))
`

/** KEYS: reservations, reservations by time. ARGV: now. */
export const readLapsed = /* lua */ `
${readReservations}
return readReservations(KEYS[1], redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[1]))
`
