/** The KEYS of every script that changes a queue start with these, in this order. */
export const queueKeys = /* lua */ `
local participants, arrivals, presence, people, assigned, recent, experiments =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
`

/** The experiment is listed exactly as long as somebody waits for it. */
export const listExperiment = /* lua */ `
local function listExperiment(experimentId)
  local isWaitedFor = redis.call('EXISTS', arrivals) == 1
  redis.call(isWaitedFor and 'SADD' or 'SREM', experiments, experimentId)
end
`

/** The keys of the queue expire this long after the last report that somebody waits. */
export const renewQueue = /* lua */ `
local function renewQueue(seconds)
  for at = 1, 7 do redis.call('EXPIRE', KEYS[at], seconds) end
end
`
