import { once } from 'node:events'
import { createTemporaryFolder, startServer, startWorld } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { openRaw } from '../security/raw-http.ts'
import { type EventLoad, startEventLoad } from './event-load.ts'

/** Every response was a success; refused connections were retried elsewhere. */
async function expectNobodyNoticed(load: EventLoad): Promise<void> {
  expect(load.log.filter(({ kind }) => kind === 'refused' || kind === 'undocumented')).toEqual([])
  expect(await load.faults()).toEqual([])
}

test('[I1] SIGTERM under load (embedded): exit 0, and everything acknowledged is still there afterwards', async () => {
  const folder = createTemporaryFolder('stopped')
  const dataDir = folder.path
  let server = await startServer({ dataDir })
  const address = new URL(server.http)
  const load = await startEventLoad({ servers: [{ http: address.origin }], clients: 24 })
  await load.progress(60)
  expect(await server.stop()).toBe(0)
  server = await startServer({ dataDir, env: { PORT: address.port } })
  await load.progress(30)
  await load.stop()
  await expectNobodyNoticed(load)
  expect(await server.stop()).toBe(0)
  folder.remove()
})

test('[I1] SIGTERM under load (cluster): exit 0, and participants continue on the other pod', async () => {
  const world = await startWorld('cluster')
  const [stays, leaves] = world.servers
  if (!stays || !leaves) throw new Error('a cluster has two pods')
  const load = await startEventLoad({ servers: [stays, leaves], clients: 24 })
  await load.progress(60)
  expect(await leaves.stop()).toBe(0)
  await load.progress(30)
  await load.stop()
  await expectNobodyNoticed(load)
  await world.stop()
})

test('connections without a complete request do not keep a server from stopping', async () => {
  const server = await startServer()
  const head = 'POST /api/v4/participant/events HTTP/1.1\r\nHost: localhost\r\n'
  const beginnings = ['', head, `${head}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`]
  const connections = await Promise.all(
    beginnings.map(async (beginning) => {
      const { socket, write } = openRaw(server.http)
      await once(socket, 'connect')
      if (beginning !== '') write(beginning)
      return socket
    }),
  )
  expect(await server.stop()).toBe(0)
  for (const socket of connections) socket.destroy()
})
