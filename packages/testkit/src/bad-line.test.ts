import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { seededRandom } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type BadLineOptions, startBadLine } from './bad-line.ts'
import { createPacketFates } from './packet-fates.ts'
import { waitUntil } from './wait.ts'

describe('the fates of packets', () => {
  const line = { roundTripMs: 300, patienceMs: 8_000 }
  /** Draws that lose a packet each time they are true. */
  const drawing =
    (...isLost: boolean[]) =>
    () =>
      isLost.shift() ? 0 : 1
  const fatesOf = (...isLost: boolean[]) =>
    createPacketFates({ ...line, loss: 0.3, random: drawing(...isLost) })

  test('a packet arrives after half a round trip; each loss waits twice as long as the one before', () => {
    expect(fatesOf(false)(1_000)).toEqual({ kind: 'arrives', atMs: 1_150, losses: 0 })
    expect(fatesOf(true, true, true, false)(1_000)).toEqual({ kind: 'arrives', atMs: 3_250, losses: 3 })
  })

  test('a packet that is lost too often breaks the connection', () => {
    expect(fatesOf(true, true, true, true, true)(0)).toEqual({ kind: 'breaks', atMs: 8_000, losses: 5 })
  })

  test('packets wait for those before them, and only two are on their way at once', () => {
    const fateAt = fatesOf(true, true, false)
    expect([0, 0, 0, 0].map((atMs) => fateAt(atMs).atMs)).toEqual([1_050, 1_050, 1_350, 1_350])
  })

  test('as many are lost as asked for', () => {
    const fateAt = createPacketFates({ ...line, loss: 0.3, random: seededRandom('share') })
    const fates = Array.from({ length: 10_000 }, (_, index) => fateAt(index * 1e6))
    const lost = fates.reduce((sum, { losses }) => sum + losses, 0)
    expect(lost / (lost + fates.filter(({ kind }) => kind === 'arrives').length)).toBeCloseTo(0.3, 1)
    expect(fates.some(({ kind }) => kind === 'breaks')).toBe(true)
  })
})

describe('a bad line', () => {
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

  async function open(options: Partial<BadLineOptions>) {
    const address = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`
    const line = await startBadLine(address, { loss: 0.3, roundTripMs: 4, seed: 'one', ...options })
    onTestFinished(line.stop)
    const socket: Socket = connect(Number(new URL(line.http).port), '127.0.0.1')
    let received = ''
    socket.on('data', (data) => {
      received += data.toString()
    })
    await once(socket, 'connect')
    return { line, socket, received: () => received }
  }

  test('everything arrives, unchanged and in order, and then the end, although much is lost', async () => {
    const { line, socket, received } = await open({})
    const numbers = Array.from({ length: 20_000 }, (_, index) => index).join()
    socket.write(numbers)
    await waitUntil(() => received() === numbers || `${received().length} of ${numbers.length} bytes`)
    socket.write('bye')
    await once(socket, 'close')
    const { lost, broken } = line.tally()
    expect(lost).toBeGreaterThan(0)
    expect(broken).toBe(0)
  })

  test('a connection whose packets do not get through ends, and what arrived before is a beginning of what was sent', async () => {
    const { line, socket, received } = await open({ patienceMs: 20 })
    // Not `once`, which fails at an error: a broken connection usually is one.
    const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve))
    const numbers = Array.from({ length: 200_000 }, (_, index) => index).join()
    socket.write(numbers)
    await closed
    expect(line.tally()).toMatchObject({ connections: 1, broken: 1 })
    expect(numbers.startsWith(received())).toBe(true)
    expect(received().length).toBeLessThan(numbers.length)
  })
})
