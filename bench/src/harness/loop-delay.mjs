// Preloaded into a server: keeps the longest turn of its event loop, in CPU time of the main thread, in a file. A signal begins anew.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.LOOP_DELAY_FILE

function cpuMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

if (isMainThread && file) {
  let longestMs = 0
  let begun = 0
  let last = cpuMs()
  const keep = (ms) => {
    longestMs = ms
    writeFileSync(file, JSON.stringify({ begun, longestMs }))
  }
  process.on('SIGUSR2', () => {
    begun++
    keep(0)
  })
  // A due timer runs once per turn, so at most one turn lies between two late runs.
  setInterval(() => {
    const held = cpuMs() - last
    if (held > longestMs) keep(held)
    last = cpuMs()
  }, 2).unref()
}
