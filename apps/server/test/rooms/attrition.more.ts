import { type ExperimentDefinition, flowRoutes, privacyRoutes, roomRoutes } from '@atrium/contract'
import { describeInBothModes, succeeded, waitUntil } from '@atrium/testkit'
import { beforeAll, expect, test } from 'vitest'
import { readEveryFormat } from '../exports/read-files.ts'
import { acknowledged, tableIn } from './table.ts'

const optional = { type: 'slider', required: false }
const study: ExperimentDefinition = {
  name: 'Five',
  states: [
    { id: 'ask', components: [{ id: 'rate', ...optional }] },
    { id: 'short', components: [{ id: 'quick', ...optional }], end: { on: 'timed', afterMs: 300 } },
    { id: 'last', components: [] },
  ],
  conditions: { values: ['only'] },
  matching: { groupSize: 5 },
  dropout: { policy: 'continue', graceMs: 60_000 },
}

describeInBothModes('People who stop, and a researcher who intervenes', (world) => {
  const table = tableIn(world)
  let experimentId = ''
  let ids: string[] = []

  const read = async (of: 'participants' | 'states' | 'responses') => {
    const { token } = await table.researcher()
    const formats = await readEveryFormat({ http: table.server().http, token, experimentId, table: of })
    expect(formats.csv.rows).toEqual(formats.jsonl.rows)
    return formats.csv.rows
  }
  const flow = async () => {
    const { token } = await table.researcher()
    return succeeded(await table.api.call(flowRoutes.read, { token, params: { experimentId } }))
  }

  beforeAll(async () => {
    experimentId = await table.open(study)
    const { roomId, sessions } = await table.seat(experimentId, 5)
    ids = sessions.map(({ participantId }) => participantId)
    const sockets = await Promise.all(sessions.map(table.connect))
    const [stays, vanishes, leaves, isRemoved, alsoStays] = sockets
    if (!stays || !vanishes || !leaves || !isRemoved || !alsoStays) throw new Error('five were to come')
    vanishes.close()
    await stays.event('presence', ({ alias, presence }) => alias === 'P2' && presence === 'away')
    await acknowledged(leaves.act('leave', {}))
    const { token } = await table.researcher()
    const options = { token, params: { roomId, participantId: ids[3] ?? '' }, body: {} }
    succeeded(await table.api.call(roomRoutes.remove, options))
    await table.pause(roomId)
    await table.resume(roomId)
    await acknowledged(stays.act('submit_response', { componentId: 'rate', value: 4 }))
    for (const socket of [stays, alsoStays]) await acknowledged(socket.act('ready', { stateId: 'ask' }))
    for (const socket of [stays, alsoStays]) {
      await socket.event('state_entered', ({ state }) => state.id === 'last')
      await acknowledged(socket.act('ready', { stateId: 'last' }))
    }
    await alsoStays.event('finished')
    for (const session of [sessions[0], sessions[4]]) if (session) await table.complete(session, 'SUCCESS')
    for (const socket of sockets) socket.close()
  })

  test('[R92,D27] the file of participants says when, where and why each of them stopped', async () => {
    const rows = new Map((await read('participants')).map((row) => [row.participant_id, row]))
    const stopped = ids.map((id) => rows.get(id)).map((row) => [row?.drop_reason, row?.dropped_state])
    expect(stopped).toEqual([
      [null, null],
      ['disconnected', 'ask'],
      ['left', 'ask'],
      ['removed', 'ask'],
      [null, null],
    ])
    for (const row of rows.values()) expect(row.dropped_at === null).toBe(row.drop_reason === null)
    const finished = (await table.exported(experimentId)).find(
      ({ type, participantId }) => type === 'finished' && participantId === ids[1],
    )
    expect(finished?.data).toMatchObject({ outcome: 'ABANDONED', fromState: 'ask', endedIn: 'last' })
  })

  test('[R91,D25,D26] states tell who was there, and why each answer is missing', async () => {
    const states = (await read('states')).filter(({ participant_id }) => participant_id === ids[1])
    expect(states.map(({ state_id, was_present }) => [state_id, was_present])).toEqual([
      ['ask', true],
      ['short', false],
      ['last', false],
    ])
    const asked = (await read('states')).filter(({ state_id }) => state_id === 'ask')
    const pauses = ids.slice(0, 2).map((id) => asked.find((row) => row.participant_id === id)?.paused_ms)
    expect(pauses[0]).toBeGreaterThanOrEqual(0)
    expect(pauses[1]).toBe(pauses[0])
    const responses = await read('responses')
    const of = (id: string | undefined) =>
      responses
        .filter(({ participant_id }) => participant_id === id)
        .map(({ component_id, value_number, missing }) => [component_id, value_number, missing])
    expect(ids.map(of)).toEqual([
      [
        ['rate', 4, null],
        ['quick', null, 'timed_out'],
      ],
      [
        ['rate', null, 'left'],
        ['quick', null, 'left'],
      ],
      [['rate', null, 'left']],
      [['rate', null, 'left']],
      [
        ['rate', null, 'skipped'],
        ['quick', null, 'timed_out'],
      ],
    ])
  })

  test('[R92,X90] the flow is what the tables say, and still counts somebody who was deleted', async () => {
    const waits = await table.join(experimentId)
    const rows = await read('participants')
    const dropped = Map.groupBy(rows, ({ drop_reason }) => drop_reason)
    const { total, conditions } = await flow()
    expect(total).toMatchObject({
      ...{
        arrived: rows.length,
        assigned: 5,
        waiting: 1,
        completed: 2,
        removed: dropped.get('removed')?.length,
      },
      dropped: {
        disconnected: dropped.get('disconnected')?.length,
        left: dropped.get('left')?.length,
      },
    })
    expect(conditions.map(({ condition, arrived }) => [condition, arrived])).toEqual([
      ['only', 5],
      [null, 1],
    ])
    const { token } = await table.researcher()
    for (const participantId of [waits.participantId, ids[2] ?? '']) {
      const options = { token, params: { experimentId, participantId }, query: { scope: 'all' as const } }
      await waitUntil(
        async () => (await table.api.call(privacyRoutes.erase, options)).status === 200 || 'not deleted yet',
      )
    }
    const after = await flow()
    expect(after.total).toMatchObject({ arrived: 6, deleted: 2, waiting: 0, dropped: { left: 0 } })
    expect(after.conditions.map(({ condition, deleted }) => [condition, deleted])).toEqual([
      ['only', 1],
      [null, 1],
    ])
  })
})
