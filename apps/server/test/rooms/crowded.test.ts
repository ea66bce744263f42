import { limits } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  HandshakeRefused,
  openRoomSocket,
  startServer,
} from '@atrium/testkit'
import { expect, it } from 'vitest'
import { openRawSocket } from './raw-socket.ts'

it('[R24] an instance holds 1,000 connections; the next handshake is refused by name, and there is room again later', async () => {
  const server = await startServer()
  const api = createApi(server.http)
  const session = await (await createPerson(api)).join(await (await createResearcher(api)).openExperiment())
  const crowd = []
  for (let count = 0; count < limits.socketsPerInstance; count += 100)
    crowd.push(...(await Promise.all(Array.from({ length: 100 }, () => openRawSocket(server.http)))))
  const refused = await openRoomSocket(server.http, session).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(HandshakeRefused)
  expect(refused).toMatchObject({ code: 'UNAVAILABLE' })

  for (const socket of crowd.slice(0, 10)) socket.close()
  // Closing takes a moment to be noticed.
  let room = await openRoomSocket(server.http, session).catch(() => undefined)
  while (!room) room = await openRoomSocket(server.http, session).catch(() => undefined)
  expect(room.snapshot().state?.id).toBe('s1')
  room.close()
  for (const socket of crowd) socket.close()
  await server.stop()
})
