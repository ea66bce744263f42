import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { waitUntil } from '@atrium/testkit'
import { CreateMultipartUploadCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createPlaces } from './body/places.ts'
import { openUpload } from './test/raw-requests.ts'
import { bucket as Bucket, codeIn, randomKey, type StoreWorld, startStore } from './test/store-world.ts'

// [O19] What becomes of uploads when there are more of them than places.
const limits = { concurrentUploads: 6, uploadsPerObject: 4, uploadsPerPart: 2 }
let world: StoreWorld
const sockets: Socket[] = []
beforeAll(async () => {
  world = await startStore({ limits })
})
afterAll(() => world.stop())
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await untilArriving(0)
  world.clock.aheadMs = 0
})

const untilArriving = (count: number) =>
  waitUntil(() => {
    const arriving = readdirSync(join(world.folder, 'temporary')).length
    return arriving === count || `${arriving} uploads are arriving, not ${count}`
  })

/** Addresses of the parts of a new upload, as the server hands them out. */
async function partAddresses(count: number): Promise<string[]> {
  const Key = randomKey()
  const { UploadId } = await world.client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
  const addressOf = (_: unknown, index: number) =>
    getSignedUrl(
      world.client,
      new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: index + 1, ContentLength: 1_000 }),
    )
  return await Promise.all(Array.from({ length: count }, addressOf))
}

/** Begins to send parts, and goes no further. */
function hold(...addresses: string[]): Socket[] {
  const opened = addresses.map((address) => openUpload(address, 'Content-Length: 1000'))
  sockets.push(...opened)
  return opened
}

async function send(address = ''): Promise<[number, string | undefined]> {
  const response = await fetch(address, { method: 'PUT', body: 'x'.repeat(1_000) })
  const code = codeIn(await response.text())
  // Without it, our uploader would come back sooner than anything can have changed.
  if (code === 'SlowDown') expect(response.headers.get('retry-after')).toBe('10')
  return [response.status, code]
}
const slowDown = [503, 'SlowDown']
const stored = [200, undefined]

test('one address opened many times takes two places; the other parts arrive', async () => {
  const [one = '', two = ''] = await partAddresses(2)
  hold(one, one)
  await untilArriving(2)
  expect(await send(one)).toEqual(slowDown)
  expect(await send(two)).toEqual(stored)
})

test('one upload takes its share; another one arrives', async () => {
  const parts = await partAddresses(5)
  hold(...parts.slice(0, 4))
  await untilArriving(4)
  expect(await send(parts[4])).toEqual(slowDown)
  expect(await send((await partAddresses(1))[0])).toEqual(stored)
})

test('with all places taken, those who know the secret still store', async () => {
  hold(...(await partAddresses(4)), ...(await partAddresses(2)))
  await untilArriving(6)
  expect(await send((await partAddresses(1))[0])).toEqual(slowDown)
  await world.client.send(new PutObjectCommand({ Bucket, Key: randomKey(), Body: 'a segment' }))
})

test('a slow body gives way: of the object with the most places, to one with fewer', async () => {
  const many = await partAddresses(4)
  const [other = '', few = '', next = ''] = await partAddresses(3)
  const greedy = hold(...many)
  const modest = hold(other, few)
  await untilArriving(6)
  world.clock.aheadMs = 61_000
  const told = Promise.race(
    greedy.map(async (socket) => {
      const [chunk] = await once(socket, 'data')
      return String(chunk)
    }),
  )
  expect(await send((await partAddresses(1))[0])).toEqual(stored)
  expect(await told).toContain('SlowDown')
  await untilArriving(5)
  // The newcomer has gone again; the rest of the crowd is as it was.
  hold(next)
  await untilArriving(6)
  expect(await send(few)).toEqual(slowDown)
  expect(modest.every((socket) => !socket.destroyed)).toBe(true)
})

test('a body that arrives fast enough, or has just begun, gives way to nobody', () => {
  const places = createPlaces({ concurrentUploads: 2, uploadsPerObject: 2, uploadsPerPart: 2 }, 60_000)
  const fast = places.take({ object: 'a', part: '1' }, 0)
  places.take({ object: 'a', part: '2' }, 1)
  fast.received(60 * 65_536)
  const newcomer = { object: 'b', part: '1' }
  expect(() => places.take(newcomer, 60_000)).toThrow('Too many uploads')
  expect(() => places.take(newcomer, 60_001)).not.toThrow()
  expect(fast.lost.aborted).toBe(false)
})
