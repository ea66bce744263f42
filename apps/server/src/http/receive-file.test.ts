import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import {
  type ClientRequest,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../kernel/app-error.ts'
import { createArrivals } from './arrivals.ts'
import { createFileReceiver } from './receive-file.ts'

const folder = createTemporaryFolder('arrivals')
const maxBytes = 100_000
let server: Server
let address: string
const outcomes: string[] = []

beforeAll(async () => {
  const rules = { folder: folder.path, keepFreeBytes: 0, places: 16, maxBytes, refuse: () => undefined }
  const patient = createFileReceiver(rules)
  const impatient = createFileReceiver(rules, createArrivals(rules, { lookEveryMs: 500 }))
  server = createServer((request, response) => {
    const receive = request.url === '/trickle' ? impatient : patient
    receive(request, { study: 'a', address: 'home', sender: request.url ?? '' })
      .then(async (file) => {
        const twice = [await text(file.open()), await text(file.open())]
        await file.discard()
        return `${file.filename} ${file.size} ${twice[0] === twice[1]} ${twice[0]?.slice(0, 3)}`
      })
      .catch((error: unknown) => (error instanceof AppError ? error.code : String(error)))
      .then((outcome) => {
        outcomes.push(outcome)
        response.end(outcome)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  folder.remove()
})

const send = async (content: string | Blob, sender = '') => {
  const body = new FormData()
  body.set('file', new Blob([content], { type: 'video/mp4' }), 'film.mp4')
  return await (await fetch(address + sender, { method: 'POST', body })).text()
}

test('[R31] a file of exactly the limit is kept whole; one byte more is too large', async () => {
  expect(await send('abc'.padEnd(maxBytes, 'x'))).toBe(`film.mp4 ${maxBytes} true abc`)
  expect(await send('x'.repeat(maxBytes + 1))).toBe('PAYLOAD_TOO_LARGE')
})

test('[R31] a declared size beyond the limit is refused before anything is read', async () => {
  const sent = httpRequest(address, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(10 ** 12) },
  })
  const answer = new Promise<string>((resolve, reject) => {
    sent.on('response', (response) => text(response).then(resolve, reject))
    sent.on('error', reject)
  })
  sent.flushHeaders()
  expect(await answer).toBe('PAYLOAD_TOO_LARGE')
  sent.destroy()
})

/** Sends the beginning of a file. */
async function begin(sender = ''): Promise<ClientRequest> {
  const sent = httpRequest(address + sender, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '50000' },
  })
  sent.on('error', () => undefined)
  const arrived = once(server, 'request')
  sent.write(
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\nabc',
  )
  await arrived
  return sent
}

test('a client that goes away in the middle leaves nothing behind', async () => {
  const before = outcomes.length
  const sent = await begin()
  sent.destroy()
  await waitUntil(() => outcomes.length > before || 'it is still expected')
  expect(outcomes.at(-1)).toBe('VALIDATION_FAILED')
  expect(readdirSync(folder.path)).toEqual([])
})

test('many files at once arrive apart from each other', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => send(`${index}`.padEnd(3, '-'), `sender-${index % 4}`)),
  )
  expect(answers.toSorted()).toEqual(
    Array.from({ length: 12 }, (_, index) => `film.mp4 3 true ${`${index}`.padEnd(3, '-')}`).toSorted(),
  )
})

test('[V20] a client that sends a byte now and then is cut off', async () => {
  const before = outcomes.length
  const sent = await begin('trickle')
  await waitUntil(() => {
    sent.write('x')
    return outcomes.length > before || 'it is still expected'
  })
  expect(outcomes.at(-1)).toBe('REQUEST_TIMEOUT')
  sent.destroy()
})

const room = 10_000
const codeOf = (admitted: Promise<unknown>): Promise<unknown> =>
  admitted.then(
    () => 'admitted',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )
const by = (sender: string, study = 'a') => ({ study, address: 'home', sender })
const plenty = { freeBytes: async () => 2 ** 40 }

test('[V20] one person sends four files at once; when all places are taken, nobody yields to an equal', async () => {
  const { admit } = createArrivals({ folder: folder.path, keepFreeBytes: 0, places: 16 }, plenty)
  const admitted = await Promise.all(['ada', 'ada', 'ada', 'ada'].map((sender) => admit(by(sender), 1)))
  await expect(admit(by('ada'), 1)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'You are already sending 4 files. Try again when one has arrived.',
  })
  for (const place of admitted.slice(1)) place.leave()
  await Promise.all(Array.from({ length: 15 }, (_, index) => admit(by(`sender-${index}`), 1)))
  expect(await codeOf(admit(by('bob'), 1))).toBe('UNAVAILABLE')
  admitted[0]?.leave()
  expect(await codeOf(admit(by('bob'), 1))).toBe('admitted')
  for (const place of admitted) expect(place.lost.aborted).toBe(false)
})

test('[V20,FI8] when all places are taken, a newcomer of another study takes one, unless all of it has arrived', async () => {
  const { admit } = createArrivals({ folder: folder.path, keepFreeBytes: 0, places: 3 }, plenty)
  const [ada, bob, cem] = await Promise.all(['ada', 'bob', 'cem'].map((sender) => admit(by(sender), 1)))
  cem?.arrived()
  const dan = await admit(by('dan', 'b'), 1)
  const lost = [ada, bob, cem].map((place) => place?.lost)
  expect(lost.map((signal) => signal?.aborted)).toEqual([false, true, false])
  expect(lost[1]?.reason).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('slowest') })
  // Its place is gone already, so leaving frees no second one.
  bob?.leave()
  expect(await codeOf(admit(by('eve'), 1))).toBe('UNAVAILABLE')
  dan.leave()
  expect(await codeOf(admit(by('eve'), 1))).toBe('admitted')
})

test('[V20] files that arrive leave the database its space, all of them together', async () => {
  const keepFreeBytes = 256 * 2 ** 20
  const rules = { folder: folder.path, keepFreeBytes, places: 16 }
  const { admit } = createArrivals(rules, { freeBytes: async () => keepFreeBytes + room })
  const place = await admit(by('ada'), room - 1)
  expect(await codeOf(admit(by('bob'), 2))).toBe('STORAGE_FULL')
  expect(await codeOf(admit(by('bob'), 1))).toBe('admitted')
  place.leave()
  expect(await codeOf(admit(by('bob'), room - 1))).toBe('admitted')
})

test('[V20] a file for which there is no room is refused before it is read', async () => {
  const rules = {
    folder: folder.path,
    keepFreeBytes: 2 ** 60,
    places: 16,
    maxBytes,
    refuse: () => undefined,
  }
  const unread = Readable.from([]) as unknown as IncomingMessage
  const headers = { 'content-length': '10', 'content-type': 'multipart/form-data; boundary=x' }
  const refused = createFileReceiver(rules)(Object.assign(unread, { headers }), by('ada'))
  expect(await codeOf(refused)).toBe('STORAGE_FULL')
})
