import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../kernel/app-error.ts'
import { createFileReceiver } from './receive-file.ts'

const folder = createTemporaryFolder('arrivals')
const maxBytes = 100_000
let server: Server
let address: string
const outcomes: string[] = []

beforeAll(async () => {
  const receive = createFileReceiver({ folder: folder.path, maxBytes, refuse: () => undefined })
  server = createServer((request, response) => {
    receive(request)
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

const send = async (content: string | Blob) => {
  const body = new FormData()
  body.set('file', new Blob([content], { type: 'video/mp4' }), 'film.mp4')
  return await (await fetch(address, { method: 'POST', body })).text()
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

test('a client that goes away in the middle leaves nothing behind', async () => {
  const before = outcomes.length
  const sent = httpRequest(address, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '50000' },
  })
  sent.on('error', () => undefined)
  const arrived = once(server, 'request')
  sent.write(
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\nabc',
  )
  await arrived
  sent.destroy()
  await waitUntil(() => outcomes.length > before || 'it is still expected')
  expect(outcomes.at(-1)).toBe('VALIDATION_FAILED')
  expect(readdirSync(folder.path)).toEqual([])
})

test('many files at once arrive apart from each other', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => send(`${index}`.padEnd(3, '-'))))
  expect(answers.toSorted()).toEqual(
    Array.from({ length: 12 }, (_, index) => `film.mp4 3 true ${`${index}`.padEnd(3, '-')}`).toSorted(),
  )
})
