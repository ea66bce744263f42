// Preloaded into the server: records how long each turn of its event loop blocks everything else. In CPU time of the
// main thread, so that a busy machine does not matter, and in units measured here, so that a slow one does not either.
import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.LOOP_WATCH_FILE

function cpuUs() {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** How long the host has kept the processors to itself since the machine started, in hundredths of a second. */
function stolen() {
  try {
    return Number(readFileSync('/proc/stat', 'utf8').split(/\s+/)[8])
  } catch {
    return 0
  }
}

/** Turns of this many units are measured again. */
const longTurn = 8
/** Of both processors within a second or two. */
const maxStolen = 10

/** The unit: the time to parse and serialize the largest body that is accepted. */
function unitUs() {
  const body = JSON.stringify(
    Array.from({ length: 20_000 }, (_, id) => ({ id, type: 'slider', text: 'a'.repeat(20) })),
  )
  const times = Array.from({ length: 15 }, () => {
    const before = cpuUs()
    JSON.stringify(JSON.parse(body))
    return cpuUs() - before
  })
  return times.sort((one, other) => one - other)[7]
}

if (isMainThread && file) {
  const unit = unitUs()
  appendFileSync(file, `${JSON.stringify({ unit })}\n`)
  let last
  let stolenBefore = stolen()
  setInterval(() => {
    stolenBefore = stolen()
  }, 1_000).unref()
  // A due timer runs once per turn, so at most one turn lies between two late runs.
  setInterval(() => {
    const held = cpuUs() - (last ?? Number.POSITIVE_INFINITY)
    // While a host takes the processors away, its time counts as ours: nothing can be said about such a turn.
    const isOurs = held <= longTurn * unit || stolen() - stolenBefore < maxStolen
    if (held > longTurn * unit && isOurs)
      appendFileSync(file, `${JSON.stringify({ held: held / Math.max(unit, unitUs()) })}\n`)
    else if (held > unit && isOurs) appendFileSync(file, `${JSON.stringify({ held: held / unit })}\n`)
    last = cpuUs()
  }, 2).unref()
}
