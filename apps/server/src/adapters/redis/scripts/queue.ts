/** KEYS of the scripts that change a queue begin with these, in this order. */
export const queueKeys = /* lua */ `
local participants, arrivals, presence, people, assigned, recent, experiments =
  KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
`

/** The experiment is listed exactly while somebody waits for it. */
export const listExperiment = /* lua */ `
local function listExperiment(experimentId)
  local isWaitedFor = redis.call('EXISTS', arrivals) == 1
  redis.call(isWaitedFor and 'SADD' or 'SREM', experiments, experimentId)
end
`

/** The keys of the queue live for so long after somebody was last said to wait. */
export const renewQueue = /* lua */ `
local function renewQueue(seconds)
  for at = 1, 7 do redis.call('EXPIRE', KEYS[at], seconds) end
end
`
