/**
 * KEYS: one per request to count; a key may occur several times. ARGV: seconds of a window. Returns, for each, the
 * requests counted in its window so far, and the milliseconds left of it.
 */
export const countRequests = /* lua */ `
local windows = {}
for at, key in ipairs(KEYS) do
  redis.call('SET', key, 0, 'EX', ARGV[1], 'NX')
  local requests, left = redis.call('INCR', key), redis.call('PTTL', key)
  -- A key that never ends would lock its owner out for good.
  if left == -1 then redis.call('EXPIRE', key, ARGV[1]) end
  windows[at] = { requests, left }
end
return windows
`

/** KEYS: what was counted. Returns the same about it; the time is negative when its window is over. */
export const readWindow = /* lua */ `
return { tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1]) }
`
