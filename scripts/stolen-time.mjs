// How much processor time the host of a virtual machine gave to others: what Linux calls steal.
import { readFileSync } from 'node:fs'

/** Where `steal` stands among the counters of all processors; those after it are parts of others. */
const stealAt = 7

/** The counters since the machine started, or undefined where the system has none. */
export function processorTimes() {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    return line
      .trim()
      .split(/\s+/)
      .slice(1, stealAt + 2)
      .map(Number)
  } catch {
    return undefined
  }
}

/** From 0 to 1: of the time in which a processor was wanted, what the host did not give. */
export function stolenShare(before, after) {
  if (!before || !after) return 0
  const spent = after.map((ticks, index) => ticks - before[index])
  const [, , , idle = 0, waiting = 0] = spent
  const wanted = spent.reduce((sum, ticks) => sum + ticks, 0) - idle - waiting
  return wanted > 0 ? spent[stealAt] / wanted : 0
}
