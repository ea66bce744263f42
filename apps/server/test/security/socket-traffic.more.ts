import { limits } from '@atrium/contract'
import { describeInOneMode, smallestDefinition, waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { openRawSocket } from '../rooms/raw-socket.ts'
import { acknowledged, refused, tableIn } from '../rooms/table.ts'
import { shakeHands } from './shake-hands.ts'

const solo = smallestDefinition()
const missing = { componentId: 'nothing', value: 1 }

describeInOneMode('What a participant sends over sockets', (world) => {
  const table = tableIn(world)

  async function seated() {
    const session = await table.join(await table.open(solo))
    const { sessionId, sessionToken, roomId } = session
    const socket = await openRawSocket(table.server().http, `&roomId=${roomId}`)
    socket.send(`40/experiment,${JSON.stringify({ sessionId, sessionToken })}`)
    await waitUntil(
      () => socket.received.some((packet) => packet.includes('room_snapshot')) || 'no snapshot yet',
    )
    return { session, socket }
  }
  async function cutOffFor(reason: string): Promise<number> {
    const text = await (await fetch(`${table.server().metrics}/metrics`)).text()
    const line = text
      .split('\n')
      .find((one) => one.startsWith(`socketio_disconnect_total{reason="${reason}"`))
    return Number(line?.split(' ').at(-1) ?? 0)
  }

  it('[R26] reconnecting does not reset the rate limit', async () => {
    const session = await table.join(await table.open(solo))
    // timing: the slower the machine, the more the steady rate allows meanwhile
    const startedAt = performance.now()
    let taken = 0
    for (let connections = 0; connections < 10; connections++) {
      const room = await table.connect(session)
      const codes = await Promise.all(
        Array.from({ length: 60 }, () => refused(room.act('submit_response', missing))),
      )
      taken += codes.filter((code) => code !== 'RATE_LIMITED').length
      room.close()
    }
    // However long that took, only one burst and the steady rate were allowed; a burst per connection would be 600.
    // timing: as above
    const seconds = (performance.now() - startedAt) / 1000
    expect(taken).toBeLessThanOrEqual(60 + 20 * seconds + 1)
  })

  it('[R26] a flood of large packets is cut off; its sender must wait, and others notice nothing', async () => {
    const neighbour = await table.connect(await table.join(await table.open(solo)))
    const { session, socket } = await seated()
    const before = await cutOffFor('too many bytes')
    const packet = `42/experiment,["no_such_thing","${'x'.repeat(120_000)}"]`
    for (let sent = 0; sent < (3 * limits.socketBytesPerMinute) / packet.length; sent++) socket.send(packet)
    await waitUntil(() => socket.isClosed() || 'it is still open')
    expect(await cutOffFor('too many bytes')).toBe(before + 1)
    const query = { roomId: session.roomId }
    const again = await shakeHands(table.server().http, '/experiment', { session, query })
    expect(again.data).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) })
    await acknowledged(neighbour.act('submit_response', { componentId: 'c1', value: 5 }))
    neighbour.close()
  })

  it('[R26] a flood of tiny packets is cut off, whatever they are', async () => {
    for (const packet of ['42/experiment,["no_such_thing"]', '42/experiment,', '3', '6']) {
      const { socket } = await seated()
      for (let sent = 0; sent < 40_000 && !socket.isClosed(); sent++) {
        socket.send(packet)
        if (sent % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      await waitUntil(() => socket.isClosed() || 'it is still open')
    }
  })

  it('[R26] unexpected packets close the connection: binary, acknowledgements, excessive names', async () => {
    const before = await cutOffFor('unexpected packet')
    const packets = [
      new Uint8Array([1, 2, 3]),
      'bAQID',
      '451-/experiment,["submit_response",{"_placeholder":true,"num":0}]',
      '43/experiment,1["done"]',
      '44/experiment,{"message":"no"}',
      `42/${'n'.repeat(1_000)},["ready",{}]`,
    ]
    for (const packet of packets) {
      const { socket } = await seated()
      socket.send(packet)
      await waitUntil(() => socket.isClosed() || `still open after ${packet}`)
    }
    expect(await cutOffFor('unexpected packet')).toBe(before + packets.length)
  })

  it('[R26] a client without a session may send next to nothing', async () => {
    const stranger = await openRawSocket(table.server().http)
    stranger.send(`40/waiting,{"sessionId":"${'x'.repeat(100_000)}"}`)
    await waitUntil(() => stranger.isClosed() || 'it is still open')
    expect(stranger.received.filter((packet) => packet.startsWith('44'))).toEqual([])
  })
})
