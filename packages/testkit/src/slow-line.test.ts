import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startSlowLine } from './slow-line.ts'
import { waitUntil } from './wait.ts'

/** Sends everything back, and closes when it is told to. */
const echo = createServer((socket) => {
  socket.on('error', () => socket.destroy())
  socket.on('data', (data) => (data.toString() === 'bye' ? socket.end() : socket.write(data)))
})
beforeAll(async () => {
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
})
afterAll(() => echo.close())

async function open() {
  const address = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`
  const line = await startSlowLine(address, { delayMs: 10, jitterMs: 9 })
  onTestFinished(line.stop)
  const socket: Socket = connect(Number(new URL(line.http).port), '127.0.0.1')
  let received = ''
  socket.on('data', (data) => {
    received += data.toString()
  })
  await once(socket, 'connect')
  return { line, socket, received: () => received }
}

test('everything arrives in order, whatever the jitter and the limit, and then the end', async () => {
  const { line, socket, received } = await open()
  line.limit(200_000)
  const numbers = Array.from({ length: 2_000 }, (_, index) => index).join()
  for (let at = 0; at < numbers.length; at += 500) socket.write(numbers.slice(at, at + 500))
  await waitUntil(() => received() === numbers || `${received().length} of ${numbers.length} bytes`)
  socket.write('bye')
  await once(socket, 'close')
})

test('a line that is held delivers nothing, and loses nothing', async () => {
  const { line, socket, received } = await open()
  socket.write('one')
  await waitUntil(() => received() === 'one' || 'not yet')
  line.hold()
  socket.write('two')
  const other = await open()
  other.socket.write('other')
  await waitUntil(() => other.received() === 'other' || 'not yet')
  expect(received()).toBe('one')
  line.release()
  await waitUntil(() => received() === 'onetwo' || received())
})
