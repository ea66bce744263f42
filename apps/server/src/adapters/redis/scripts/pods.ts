/** The instance that a room key names; nil when the key is absent or invalid. */
export const ownerOfRoom = /* lua */ `
local function ownerOfRoom(key)
  local text = redis.pcall('GET', key)
  if type(text) ~= 'string' then return nil end
  local ok, assignment = pcall(cjson.decode, text)
  local owner = ok and type(assignment) == 'table' and assignment.podId
  return type(owner) == 'string' and owner or nil
end
`

/** Rooms, participants, and rooms of one participant of an instance. A room that is both held and reserved (just made, not settled) counts once. */
export const loadOfPod = /* lua */ `
local function countsIn(key)
  local flat = redis.pcall('HGETALL', key)
  return flat.err and {} or flat
end

local function loadOfPod(roomsKey, reservedKey)
  local counts, rooms, participants, soloRooms = {}, 0, 0, 0
  for _, key in ipairs({ reservedKey, roomsKey }) do
    local flat = countsIn(key)
    for at = 1, #flat, 2 do counts[flat[at]] = tonumber(flat[at + 1]) or 0 end
  end
  for _, count in pairs(counts) do
    rooms = rooms + 1
    participants = participants + count
    if count == 1 then soloRooms = soloRooms + 1 end
  end
  return rooms, participants, soloRooms
end
`

/**
 * KEYS: instances, metrics of the instance. ARGV: instance, metrics, seconds. Keeps an index, because every instance lists the instances
 * more than twice a second, and scanning for their keys takes longer the more other keys there are.
 */
export const reportPod = /* lua */ `
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
`

/** KEYS: instances, lease of the instance. ARGV: instance, lease, ms. Returns 1 if there was a lease. */
export const renewPod = /* lua */ `
redis.call('SADD', KEYS[1], ARGV[1])
local wasThere = redis.call('EXISTS', KEYS[2])
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return wasThere
`

/** KEYS: instances. ARGV: key patterns of metrics, lease, rooms, reserved. Returns the id and these values of each instance. */
export const readPods = /* lua */ `
${loadOfPod}
local function textIn(shape, podId)
  local text = redis.pcall('GET', string.format(shape, podId))
  return type(text) == 'string' and text
end

local pods = {}
for _, podId in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local metrics, lease = textIn(ARGV[1], podId), textIn(ARGV[2], podId)
  if metrics or lease then
    local rooms, participants, soloRooms = loadOfPod(string.format(ARGV[3], podId), string.format(ARGV[4], podId))
    pods[#pods + 1] = { podId, metrics, lease, rooms, participants, soloRooms }
  else
    redis.call('SREM', KEYS[1], podId)
  end
end
return pods
`

/**
 * KEYS: room, rooms of the instance. ARGV: instance, room id, participants, assignment, seconds, key pattern of an instance's rooms.
 * Only the room key knows the previous instance, hence the pattern: that instance no longer counts the room.
 */
export const pinRoom = /* lua */ `
${ownerOfRoom}
local podId, roomId, participants, assignment, seconds, roomsShape = unpack(ARGV)
local former = ownerOfRoom(KEYS[1])
if former and former ~= podId then redis.call('HDEL', string.format(roomsShape, former), roomId) end
redis.call('SET', KEYS[1], assignment, 'EX', seconds)
redis.call('HSET', KEYS[2], roomId, participants)
redis.call('EXPIRE', KEYS[2], seconds)
`

/**
 * KEYS: room. ARGV: instance, assignment, seconds, key pattern of an instance's lease. Returns the living instance that now has the
 * room.
 */
export const sendRoom = /* lua */ `
${ownerOfRoom}
local podId, assignment, seconds, leaseShape = unpack(ARGV)
local owner = ownerOfRoom(KEYS[1])
if owner and redis.call('EXISTS', string.format(leaseShape, owner)) == 1 then return owner end
redis.call('SET', KEYS[1], assignment, 'EX', seconds)
return podId
`

/** KEYS: room, rooms of the instance. ARGV: instance, room id. */
export const unpinRoom = /* lua */ `
${ownerOfRoom}
redis.call('HDEL', KEYS[2], ARGV[2])
if ownerOfRoom(KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`

/**
 * KEYS: rooms of the instance, then each room. ARGV: instance, seconds, then id, participants and assignment of each room.
 * Returns the ids of rooms that another instance has.
 */
export const holdRooms = /* lua */ `
${ownerOfRoom}
local podId, seconds = ARGV[1], ARGV[2]
local elsewhere = {}
redis.call('DEL', KEYS[1])
for at = 2, #KEYS do
  local first = 3 * at - 3
  local roomId = ARGV[first]
  if (ownerOfRoom(KEYS[at]) or podId) == podId then
    redis.call('SET', KEYS[at], ARGV[first + 2], 'EX', seconds)
    redis.call('HSET', KEYS[1], roomId, ARGV[first + 1])
  else
    elsewhere[#elsewhere + 1] = roomId
  end
end
redis.call('EXPIRE', KEYS[1], seconds)
return elsewhere
`
