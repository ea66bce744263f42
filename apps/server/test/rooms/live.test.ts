import {
  type ExperimentDefinition,
  type LiveExperiment,
  liveRoutes,
  participantRoutes,
} from '@atrium/contract'
import { createApi, describeInOneMode, openWaitingSocket, succeeded, waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { acknowledged, tableIn } from './table.ts'

const game: ExperimentDefinition = {
  name: 'Pots',
  states: [
    {
      id: 'give',
      name: 'Contribute',
      components: [{ id: 'much', type: 'slider' }],
      end: { on: 'all_responded' },
    },
    { id: 'bye', components: [] },
  ],
  blocks: [{ id: 'game', states: ['give'], rounds: 2 }],
  matching: { groupSize: 2 },
}

describeInOneMode('The live view of an experiment', (world) => {
  const table = tableIn(world)
  const live = async (experimentId: string, api = table.api): Promise<LiveExperiment> => {
    const { token } = await table.researcher()
    return succeeded(await api.call(liveRoutes.read, { token, params: { experimentId } }))
  }
  /** Every instance must say the same, whichever holds the room. */
  async function everywhere(experimentId: string): Promise<LiveExperiment> {
    const [first, ...others] = await Promise.all(
      world().servers.map(({ http }) => live(experimentId, createApi(http))),
    )
    if (!first) throw new Error('this world has no server')
    for (const { rooms } of others) expect(rooms).toEqual(first.rooms)
    return first
  }

  it('[RM143] says where each room is and who is there, as it goes on', async () => {
    const experimentId = await table.open(game)
    expect(await live(experimentId)).toMatchObject({
      joined: 0,
      waiting: { people: 0, first: [] },
      rooms: [],
    })
    const { roomId, sessions } = await table.seat(experimentId, 2)
    const sockets = await Promise.all(sessions.map((session) => table.connect(session)))
    const [first, second] = sockets
    if (!first || !second) throw new Error('two people sat in the room')
    const connected = { status: 'active', presence: 'connected', awaySince: null, state: null }
    expect(await everywhere(experimentId)).toMatchObject({
      joined: 2,
      active: 2,
      completed: 0,
      hasMoreRooms: false,
      rooms: [
        {
          roomId,
          position: 0,
          status: 'running',
          resting: false,
          state: { id: 'give', name: 'Contribute', round: 1, rounds: 2 },
          seats: [
            { alias: 'P1', ...connected },
            { alias: 'P2', ...connected },
          ],
        },
      ],
    })
    for (const socket of sockets)
      await acknowledged(socket.act('submit_response', { componentId: 'much', value: 1 }))
    expect(await everywhere(experimentId)).toMatchObject({
      rooms: [{ state: { round: 2 } }],
      words: [
        { roomId, kind: 'answer', componentId: 'much', text: '1' },
        { roomId, kind: 'answer', componentId: 'much', text: '1' },
      ],
    })
    // These are read now and then.
    await waitUntil(async () => {
      const { consented, placed, usual } = await live(experimentId)
      const seen = JSON.stringify([consented, placed, usual.map(({ stateId, visits }) => [stateId, visits])])
      return seen === '[2,2,[["give",2]]]' || seen
    })
    second.close()
    await first.event('presence', ({ presence }) => presence === 'away')
    expect((await everywhere(experimentId)).rooms[0]?.seats).toMatchObject([
      { presence: 'connected' },
      { presence: 'away', awaySince: expect.any(Number) },
    ])
    await table.pause(roomId)
    expect((await everywhere(experimentId)).rooms).toMatchObject([{ status: 'paused' }])
    first.close()
  })

  it('[RM143] shows a room that nobody has entered, and wakes none', async () => {
    const experimentId = await table.open({ name: 'Alone', states: [{ id: 'ask', components: [] }] })
    const { roomId } = await table.join(experimentId)
    expect((await live(experimentId)).rooms).toEqual([
      {
        roomId,
        position: null,
        status: 'running',
        resting: true,
        state: null,
        enteredAt: null,
        deadlineAt: null,
        seats: [],
      },
    ])
    expect(await table.report(roomId)).toMatchObject({ resting: true, podId: null })
  })

  it('[RM143] says where somebody is who moves alone, and where each is of several who move at their own pace', async () => {
    const states = [
      { id: 'read', name: 'Read', components: [], end: { on: 'button' as const } },
      { id: 'ask', components: [], end: { on: 'button' as const } },
    ]
    const alone = await table.open({ name: 'Alone', states })
    const socket = await table.connect(await table.join(alone))
    await acknowledged(socket.act('ready'))
    expect((await everywhere(alone)).rooms).toMatchObject([
      { state: { id: 'ask' }, enteredAt: expect.any(Number), seats: [{ state: null }] },
    ])
    const together = await table.open({
      name: 'Own pace',
      states,
      pacing: 'participant',
      matching: { groupSize: 2 },
    })
    const { sessions } = await table.seat(together, 2)
    const sockets = await Promise.all(sessions.map((session) => table.connect(session)))
    await acknowledged(sockets[0]?.act('ready') ?? Promise.reject(new Error('two people sit in the room')))
    expect((await everywhere(together)).rooms).toMatchObject([
      { state: null, enteredAt: null, seats: [{ state: 'ask' }, { state: 'Read' }] },
    ])
    for (const { close } of [socket, ...sockets]) close()
  })

  it('counts those who have agreed, and those who have a room', async () => {
    const experimentId = await table.open({
      name: 'Asked first',
      consent: { text: 'Do you agree?' },
      states: [{ id: 'ask', components: [] }],
      matching: { groupSize: 2 },
    })
    const session = await table.join(experimentId)
    await table.join(experimentId)
    const untilFunnelIs = async (expected: number[]) =>
      await waitUntil(async () => {
        const { joined, consented, placed, completed } = await live(experimentId)
        const seen = JSON.stringify([joined, consented, placed, completed])
        return seen === JSON.stringify(expected) || seen
      })
    await untilFunnelIs([2, 0, 0, 0])
    const given = { type: 'consent_given', timestamp: 1_700_000_000_000, data: { readMs: 9_000 } }
    succeeded(
      await table.api.call(participantRoutes.eventsV4, { session, body: { experimentId, events: [given] } }),
    )
    await untilFunnelIs([2, 1, 0, 0])
  })

  it('shows who waits, by their pseudonym, and for how long', async () => {
    const experimentId = await table.open(game)
    const session = await table.join(experimentId)
    const socket = await openWaitingSocket(table.server().http, session)
    await waitUntil(async () => (await live(experimentId)).waiting.people === 1 || 'nobody is seen to wait')
    const { waiting, at } = await live(experimentId)
    expect(waiting.first).toEqual([
      { participantId: session.participantId, role: 'participant', since: expect.any(Number) },
    ])
    expect(waiting.first[0]?.since).toBeLessThanOrEqual(at)
    socket.close()
  })
})
