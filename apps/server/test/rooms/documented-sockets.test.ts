import { type RoomAck, type SyncActionName, socketNamespaces } from '@atrium/contract'
import { describeInOneMode, openRoomSocket, openSyncSocket } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { tableIn } from './table.ts'

const study = { name: 'Alone', states: [{ id: 's', components: [{ id: 'q', type: 'text_input' }] }] }

/** Of a path, in the order of the reference. */
const documented = (path: string) =>
  Object.keys(socketNamespaces.find((one) => one.path === path)?.actions ?? {})

describeInOneMode('The reference of the sockets', (world) => {
  const table = tableIn(world)

  it('[R26] [R27] an action that is documented is one that the server knows; any other is refused as unknown', async () => {
    const session = await table.join(await table.open(study))
    const room = await openRoomSocket(table.server().http, session)
    onTestFinished(room.close)
    const sync = await openSyncSocket(table.server().http, session)
    onTestFinished(sync.close)
    // A field that no action has: none of them does anything.
    const unknown = { surprise: 1 }
    const codeOf = (ack: RoomAck) => (ack.ok ? 'accepted' : ack.error.code)
    for (const name of documented('/experiment'))
      expect([name, codeOf(await room.act(name as never, unknown))]).toEqual([name, 'VALIDATION_FAILED'])
    for (const name of documented('/sync').filter((one) => one !== 'clock_ping'))
      expect([name, codeOf(await sync.act(name as SyncActionName, unknown))]).toEqual([
        name,
        'VALIDATION_FAILED',
      ])
    expect(await sync.ping()).toMatchObject({ t1: expect.any(Number) })
    expect(codeOf(await room.act('cheat' as never))).toBe('NOT_FOUND')
    expect(codeOf(await sync.act('cheat' as never))).toBe('NOT_FOUND')
    expect(room.snapshot().self.alias).toBe('P1')
  })

  it('the document is served', async () => {
    const served = await (await fetch(`${table.server().http}/api/asyncapi.json`)).json()
    expect(served).toMatchObject({ asyncapi: '3.0.0', channels: { waiting: { address: '/waiting' } } })
  })
})
