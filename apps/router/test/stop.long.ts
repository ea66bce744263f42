import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { startWorld } from './router-world.ts'

/** The program itself waits for ten seconds; stop.test.ts has a router that waits for less. */
test('SIGTERM: sockets that stay open are closed in the end', async () => {
  const { world, stop } = await startWorld({ pods: 1 })
  onTestFinished(stop)
  const socket = new WebSocket(`${world.router.http.replace('http', 'ws')}/socket.io/`)
  await once(socket, 'open')
  const closed = once(socket, 'close')
  const ended = world.router.stop()
  socket.send('still here')
  expect(String((await once(socket, 'message'))[0])).toBe('still here')
  await closed
  expect(await ended).toBe(0)
})
