import { type ExperimentDefinition, operationsRoutes, type RoomSummary, roomRoutes } from '@atrium/contract'
import {
  type CallOptions,
  codeOf,
  createApi,
  createPerson,
  describeInOneMode,
  succeeded,
} from '@atrium/testkit'
import { expect, it } from 'vitest'
import { issuePathsOf, refusalOf } from '../stories/refusal.ts'
import { tableIn } from './table.ts'

const trio: ExperimentDefinition = {
  name: 'Trio',
  states: [{ id: 'talk', components: [{ id: 'chat', type: 'chat' }] }],
  conditions: { values: ['warm', 'cold'] },
  matching: { groupSize: 3 },
}
const alone: ExperimentDefinition = { name: 'Alone', states: [{ id: 'ask', components: [] }] }

describeInOneMode('The list of an experiment’s rooms', (world) => {
  const table = tableIn(world)

  async function listRooms(experimentId: string, query: CallOptions['query'] = {}, through = table.api) {
    const { token } = await table.researcher()
    return await through.call(roomRoutes.list, { token, params: { experimentId }, query })
  }
  const page = async (experimentId: string, query: CallOptions['query'] = {}) =>
    succeeded(await listRooms(experimentId, query))
  /** Every instance must give the same response. */
  async function theOnly(experimentId: string): Promise<RoomSummary> {
    const answers = await Promise.all(
      world().servers.map(async ({ http }) => succeeded(await listRooms(experimentId, {}, createApi(http)))),
    )
    const [first] = answers
    for (const answer of answers) expect(answer).toEqual(first)
    const [room, ...others] = first?.rooms ?? []
    if (!room || others.length > 0) throw new Error('there is not exactly one room')
    return room
  }
  async function steer(route: 'pause' | 'resume' | 'end', roomId: string, body?: object): Promise<void> {
    const { token } = await table.researcher()
    succeeded(await table.api.call(roomRoutes[route], { token, params: { roomId }, ...(body && { body }) }))
  }

  it('[RM56,RM81] shows a room from its beginning to its end', async () => {
    const experimentId = await table.open(trio)
    expect(await page(experimentId)).toEqual({ rooms: [], next: null })
    const { roomId, sessions } = await table.seat(experimentId, 3)
    const { token } = await table.researcher()
    const figures = succeeded(await table.api.call(operationsRoutes.metrics, { token }))
    const report = await table.report(roomId)
    const running = await theOnly(experimentId)
    expect(running).toEqual({
      roomId,
      status: 'running',
      endReason: null,
      stage: null,
      condition: report.condition,
      podId: figures.podId,
      resting: false,
      participants: 3,
      active: 3,
      agents: 0,
      synthetic: false,
      createdAt: expect.any(Number),
      endedAt: null,
    })
    expect(['warm', 'cold']).toContain(running.condition)

    await steer('pause', roomId, {})
    expect(await theOnly(experimentId)).toEqual({ ...running, status: 'paused' })
    await steer('resume', roomId)
    expect(await theOnly(experimentId)).toEqual(running)

    const participantId = sessions[2]?.participantId ?? ''
    succeeded(await table.api.call(roomRoutes.remove, { token, params: { roomId, participantId }, body: {} }))
    expect(await theOnly(experimentId)).toEqual({ ...running, active: 2 })

    await steer('pause', roomId, {})
    await steer('end', roomId, { reason: 'power cut' })
    const ended = await theOnly(experimentId)
    expect(ended).toEqual({
      ...running,
      status: 'ended',
      endReason: 'power cut',
      active: 0,
      podId: null,
      endedAt: expect.any(Number),
    })
    expect(ended.endedAt).toBeGreaterThanOrEqual(ended.createdAt)
    expect(await page(experimentId, { status: 'open' })).toEqual({ rooms: [], next: null })
    expect((await page(experimentId, { status: 'all' })).rooms).toEqual([ended])
  })

  it('[RM56,RM81] a room that nobody has entered has no pod; completing closes it without a reason', async () => {
    const experimentId = await table.open({ ...alone, conditions: { values: ['warm', 'cold'] } })
    const session = await table.join(experimentId)
    const waiting = await theOnly(experimentId)
    expect(waiting).toMatchObject({ roomId: session.roomId, status: 'running', participants: 1, active: 1 })
    expect([waiting.podId, waiting.condition, waiting.resting]).toEqual([null, null, true])
    await table.complete(session, 'TIMEOUT')
    const ended = { status: 'ended', resting: false, endReason: null, active: 0, endedAt: expect.any(Number) }
    expect(await theOnly(experimentId)).toEqual({ ...waiting, ...ended })
  })

  it('[RM56] a room that has ended gives the reason', async () => {
    const experimentId = await table.open(alone)
    const session = await table.join(experimentId)
    const socket = await table.connect(session)
    expect(await theOnly(experimentId)).toMatchObject({ status: 'running', podId: expect.any(String) })
    await socket.act('ready')
    await socket.event('room_ended')
    socket.close()
    const report = await table.report(session.roomId)
    expect(report.endReason).toEqual(expect.any(String))
    expect(await theOnly(experimentId)).toMatchObject({ status: 'ended', endReason: report.endReason })
  })

  it('[RM56] is paged, newest first', async () => {
    const experimentId = await table.open(alone)
    for (let count = 0; count < 5; count++) await table.join(experimentId)
    const { rooms, next } = await page(experimentId)
    expect([rooms.length, next]).toEqual([5, null])
    expect(rooms.map(({ createdAt }) => createdAt)).toEqual(
      rooms.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
    )
    for (const limit of [1, 2, 5]) {
      const read: RoomSummary[] = []
      const sizes: number[] = []
      let before: string | null = null
      do {
        const found: Awaited<ReturnType<typeof page>> = await page(experimentId, {
          limit: String(limit),
          ...(before === null ? {} : { before }),
        })
        read.push(...found.rooms)
        sizes.push(found.rooms.length)
        before = found.next
      } while (before !== null)
      expect(read).toEqual(rooms)
      expect(sizes).toEqual({ 1: [1, 1, 1, 1, 1], 2: [2, 2, 1], 5: [5] }[limit])
    }
  })

  it('[RM56] refuses invalid requests', async () => {
    const experimentId = await table.open(alone)
    expect(refusalOf(await listRooms('exp_nothing'))).toMatchObject({
      status: 404,
      code: 'EXPERIMENT_NOT_FOUND',
    })
    const wrong = [
      { status: 'closed' },
      ...['0', '201', '-1', '1.5', '1e2', '', ' 1', 'x', '9'.repeat(30)].map((limit) => ({ limit })),
      ...['', 'x', '5.', '.room_x', `${'9'.repeat(16)}.room_x`, '5.room_\0'].map((before) => ({ before })),
    ]
    for (const query of wrong) {
      const answer = await listRooms(experimentId, query)
      expect([query, codeOf(answer)]).toEqual([query, 'VALIDATION_FAILED'])
      expect(issuePathsOf(answer)).toEqual(Object.keys(query).map((name) => `/${name}`))
    }
    expect((await page(experimentId, { limit: '200', before: '5.room_unknown' })).rooms).toEqual([])
    const { token } = await createPerson(table.api)
    const visitor = await table.api.call(roomRoutes.list, { token, params: { experimentId } })
    expect(codeOf(visitor)).toBe('FORBIDDEN')
  })
})
