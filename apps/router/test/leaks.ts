import { readdirSync, readlinkSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { pace, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { sendRequest } from './requests.ts'
import { useWorld } from './router-world.ts'

/** More than the buffers hold between two sides of which one does not read. */
const large = Buffer.alloc(20 * 2 ** 20)

/** The number of open sockets of a process. */
function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((file) => {
    try {
      return readlinkSync(`${folder}/${file}`).startsWith('socket:')
    } catch {
      return false // Closed in the meantime.
    }
  }).length
}

async function inBatches(count: number, act: (index: number) => Promise<void>): Promise<void> {
  const size = 50
  for (let first = 0; first < count; first += size)
    await Promise.all(Array.from({ length: size }, (_, index) => act(first + index)))
}

/** A number of connections that are aborted in each way, in batches of 50. */
export function testLeaks(count: number): void {
  const world = useWorld({
    pods: 1,
    handler: async (request, response) => {
      request.resume()
      if (request.url?.endsWith('large')) return void response.end(large)
      response.write('x'.repeat(1_000))
      await pace(5)
      response.end()
    },
  })

  /** Waits, because idle connections to the instances stay open for some seconds. */
  async function expectNothingLeft(before: number): Promise<void> {
    const { router, pods } = world()
    await waitUntil(async () => {
      const left = { router: socketsOf(router.pid) - before, pod: await pods[0]?.openConnections() }
      return (left.router <= 0 && left.pod === 0) || JSON.stringify(left)
    })
    const { text } = await sendRequest(router.metrics, '/metrics')
    expect(text).toContain('router_open_sockets 0')
  }

  test(`${count} requests aborted at any moment leave no socket open`, async () => {
    const { router } = world()
    const before = socketsOf(router.pid)
    await inBatches(count, async (index) => {
      const sent = request(`${router.http}/api/x`, { method: index % 2 ? 'POST' : 'GET', agent: false })
      sent.on('error', () => undefined)
      if (index % 2) sent.write('the beginning')
      else sent.end()
      await pace(index % 17)
      sent.destroy()
    })
    await expectNothingLeft(before)
    expect((await sendRequest(router.http, '/api/x')).status).toBe(200)
  })

  test(`${count} responses aborted while they arrive leave no socket open`, async () => {
    const { router } = world()
    await expectNothingLeft(socketsOf(router.pid))
    const before = socketsOf(router.pid)
    await inBatches(count, async (index) => {
      const sent = request(`${router.http}/api/large`, { agent: false })
      sent.on('error', () => undefined)
      // Some clients read the response, others do not.
      sent.on('response', (response) =>
        (index % 2 ? response.resume() : response.pause()).on('error', () => undefined),
      )
      sent.end()
      await pace(index % 40)
      sent.destroy()
    })
    await expectNothingLeft(before)
    expect((await sendRequest(router.http, '/api/x')).status).toBe(200)
  })

  test(`${count} upgrades aborted at any moment leave no socket open`, async () => {
    const { router } = world()
    await expectNothingLeft(socketsOf(router.pid))
    const before = socketsOf(router.pid)
    const head = [
      'GET /socket.io/ HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      '',
      '',
    ].join('\r\n')
    await inBatches(count, async (index) => {
      const socket = connect(Number(new URL(router.http).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(head)
      await pace(index % 17)
      // Both ways to leave: with a TCP reset and with an orderly close.
      if (index % 2) socket.resetAndDestroy()
      else socket.destroy()
    })
    await expectNothingLeft(before)
  })
}
