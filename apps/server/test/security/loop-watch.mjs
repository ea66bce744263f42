// Loaded before the server: writes down how long one turn of its event loop held everybody else up. In CPU time of the
// main thread, so that a busy machine changes nothing; and in units of the machine itself, so that a slow one does not.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.LOOP_WATCH_FILE

function cpuUs() {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** The unit: what it takes to read and write the largest body that is accepted. */
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
  // A timer that is due runs once every turn, so no more than one turn lies between two of them that are late.
  setInterval(() => {
    const now = cpuUs()
    if (last !== undefined && now - last > unit)
      appendFileSync(file, `${JSON.stringify({ held: (now - last) / unit })}\n`)
    last = now
  }, 2).unref()
}
