import { startVideoAudience, startWorld, type VideoAudience, type World, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Enough that one is always running; the test ends long before the last. */
const showings = 30
/** Far more than a page that follows the room is off, and far less than one that does not. */
const nearMs = 400

let world: World
let audience: VideoAudience
beforeAll(async () => {
  world = await startWorld('cluster', { router: true, web: true })
  const lines = [10, 30, 60].map((delayMs) => ({ delayMs, jitterMs: delayMs / 5 }))
  audience = await startVideoAudience(world.front().http, lines, showings)
}, 300_000)
afterAll(async () => {
  await audience?.stop()
  await world?.stop()
})

/** Until each page shows frames that belong to what the room plays, from now on. */
async function untilInStep(): Promise<void> {
  const sinceMs = Date.now() // timing: separates frames from before and after a fault.
  for (const viewer of audience.viewers)
    await waitUntil(
      async () => {
        await viewer.clickIfAsked()
        const drifts = await audience.drifts(viewer, audience.current())
        const latest = drifts.filter(({ atMs }) => atMs > sinceMs).slice(-10)
        const offMs = Math.max(...latest.map(({ driftMs }) => Math.abs(driftMs)))
        return (latest.length === 10 && offMs < nearMs) || `${latest.length} frames, at most ${offMs} ms off`
      },
      { everyMs: 500, timeoutMs: 150_000 },
    )
}

test('[R27] pages whose line was interrupted or that were reloaded are in step again', async () => {
  await audience.untilShown(0)
  await untilInStep()
  audience.lines[0]?.hold()
  await audience.viewers[1]?.page.reload()
  audience.lines[0]?.release()
  await untilInStep()
}, 600_000)

test('[R27,RM48,RM106] the pod of the room is killed: the video goes on, in step, and its record is complete', async () => {
  await untilInStep()
  const owner = await audience.pod()
  const pod = world.servers.find(({ env }) => env.POD_NAME === owner)
  expect(pod, `the room is on ‘${owner}’`).toBeDefined()
  await pod?.kill()
  await untilInStep()
  await waitUntil(async () => (await audience.pod()) !== owner || 'the room is still on the killed pod')

  const lines = await audience.researcher.exported(audience.experimentId)
  const people = new Set(lines.map(({ participantId }) => participantId))
  expect(people.size).toBe(audience.viewers.length)
  // What happened is the same for everyone, in the same order.
  const histories = [...people].map((who) =>
    lines
      .filter(({ participantId, type }) => participantId === who && type === 'playback')
      .map(({ roomSeq, data }) => `${roomSeq} ${JSON.stringify(data)}`),
  )
  for (const history of histories) expect(history).toEqual(histories[0])
  await pod?.restart()
}, 600_000)
