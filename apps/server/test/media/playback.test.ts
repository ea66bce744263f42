import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { objectKeys } from '@atrium/contract'
import { waitUntil } from '@atrium/testkit'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { addPlaybackRoutes } from '../../src/modules/media/playback.routes.ts'
import { createReaders } from '../../src/modules/media/readers.ts'
import { createMediaPaths } from '../../src/modules/media/signed-paths.ts'
import { createMemoryBlobs } from './memory-blobs.ts'

// [V21] People who do not read what they asked for.
const size = 100_000_000
const app = Fastify()
const paths = createMediaPaths({ secrets: ['a secret'], lifetimeMs: 3_600_000, clock: systemClock })
const streams: Readable[] = []
const { blobs } = createMemoryBlobs()
/** Segments that are far larger than what a connection takes without being read. */
async function open() {
  const stream = new Readable({
    read() {
      this.push(Buffer.alloc(65_536))
    },
  })
  streams.push(stream)
  return { size, contentType: 'video/mp2t', etag: 'etag', stream }
}
let port: number
beforeAll(async () => {
  const limits = { atOnce: 3, ofOneAddress: 3, patienceMs: 1_000 }
  addPlaybackRoutes(app, { paths, objects: (act) => act({ ...blobs, open }) }, systemClock, limits)
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(async () => {
  app.server.closeAllConnections()
  await app.close()
})

function askWithoutReading(): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined).pause()
  const path = paths.sign('v1').pathOf(objectKeys.hlsPrefix('v1').concat('master_360p_00001.ts'))
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  return socket
}

test('somebody who stops reading is cut off, and gives the object store its connection back', async () => {
  const socket = askWithoutReading()
  await waitUntil(() => streams.length === 1 || 'nothing was opened')
  await waitUntil(() => streams[0]?.destroyed || 'it is still open')
  socket.destroy()
})

test('when too many read, the one who has read for longest gives way, but never one who has just come', () => {
  const ended: string[] = []
  const readers = createReaders({ atOnce: 3, ofOneAddress: 2, patienceMs: 30_000 })
  const enter = (name: string, now: number, address = name) =>
    readers.enter(address, now, () => void ended.push(name))
  enter('a', 0)
  const leave = enter('b', 1)
  enter('c', 2)
  expect(() => enter('d', 29_999)).toThrow('Too many people are watching')
  expect(ended).toEqual([])
  leave()
  enter('d', 29_999)
  enter('e', 30_000)
  expect(ended).toEqual(['a'])
  expect(() => enter('f', 30_001)).toThrow('Too many people are watching')
})

test('one address takes no more than its share', () => {
  const ended: string[] = []
  const readers = createReaders({ atOnce: 3, ofOneAddress: 2, patienceMs: 30_000 })
  const enter = (name: string, now: number, address: string) =>
    readers.enter(address, now, () => void ended.push(name))
  enter('other', 0, 'elsewhere')
  enter('a', 1, 'hall')
  enter('b', 2, 'hall')
  expect(() => enter('c', 3, 'hall')).toThrow('Too many people are watching')
  enter('c', 30_001, 'hall')
  expect(ended).toEqual(['a'])
})
