import { type ExperimentDefinition, type ExportTable, experimentRoutes, pilotRoutes } from '@atrium/contract'
import { createApi, createResearcher, describeInOneMode, succeeded, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { expectToContinue } from './continued.ts'
import { readEveryFormat } from './read-files.ts'

const agent = (id: string, offer: number) => ({
  id,
  name: id,
  provider: 'Scripted',
  instructions: '',
  pacing: { thinkMs: 0, thinkSpreadMs: 0, charactersPerSecond: 10_000, lullMs: 1_000 },
  script: [{ say: ['=cmd'], answers: { offer } }],
})

/** Two states that are played three times, since a transition leads back twice. */
const study: ExperimentDefinition = {
  name: 'Bargaining',
  states: [
    { id: 'talk', components: [{ id: 'chat', type: 'chat' }], end: { on: 'button' } },
    {
      id: 'price',
      components: [{ id: 'offer', type: 'slider', saveTo: 'offered' }],
      end: { on: 'all_responded' },
      onEnd: { rounds: 'rounds + 1' },
      next: [{ to: 'talk', when: 'rounds < 3', atMost: 5 }, { to: 'end' }],
    },
  ],
  variables: { rounds: 0, offered: { scope: 'participant', initial: null } },
  matching: { groupSize: 2 },
}

describeInOneMode('tables of agents, and of states that are visited again', (world) => {
  const api = createApi(() => world().any().http)

  test('[R47,D3] a pilot: turns, who played, what they answered last and how often they were there', async () => {
    const { token } = await createResearcher(api)
    const { experimentId } = succeeded(await api.call(experimentRoutes.create, { token, body: study }))
    const as = { token, params: { experimentId } }
    const body = { rooms: 2, agents: [agent('ann', 5), agent('ben', 7)] }
    const { roomIds } = succeeded(await api.call(pilotRoutes.create, { ...as, body }))
    await waitUntil(async () => {
      const [pilot] = succeeded(await api.call(pilotRoutes.list, as)).pilots
      return pilot?.progress.ended === 2 || `not yet: ${JSON.stringify(pilot?.progress)}`
    })
    const read = async (table: ExportTable, query: Record<string, string> = {}) => {
      const of = { http: world().any().http, token, experimentId, table }
      const tables = await readEveryFormat({ ...of, query: { synthetic: 'true', ...query } })
      expect(tables.csv.rows).toEqual(tables.jsonl.rows)
      expect(tables.parquet.rows).toEqual(tables.jsonl.rows)
      return tables.csv.rows
    }

    const people = await read('participants')
    expect(people.map(({ agent, room_id }) => `${agent} ${room_id}`).toSorted()).toEqual(
      roomIds.flatMap((roomId) => [`ann ${roomId}`, `ben ${roomId}`]).toSorted(),
    )
    for (const row of people) {
      const offer = row.agent === 'ann' ? 5 : 7
      expect(row).toMatchObject({ outcome: 'SUCCESS', synthetic: true, talk__visits: 3, price__visits: 3 })
      expect(row).toMatchObject({ price__offer: offer, var_offered: offer, var_rounds: 3 })
      const [partner] = people.filter((one) => one.room_id === row.room_id && one !== row)
      expect(row.group_members).toEqual([partner?.participant_id])
    }
    const visits = (await read('states')).filter(({ state_id }) => state_id === 'price')
    expect(visits.map(({ occurrence }) => occurrence)).toEqual(people.flatMap(() => [1, 2, 3]))
    expect(await read('responses')).toHaveLength(12)
    expect(new Set((await read('messages')).map(({ text }) => text))).toEqual(new Set(['=cmd']))

    const turns = await read('agent_turns')
    expect(turns.length).toBeGreaterThanOrEqual(12)
    expect(new Set(turns.map(({ agent_id }) => agent_id))).toEqual(new Set(['ann', 'ben']))
    const asked = turns.map(({ asked_at }) => Number(asked_at))
    const middle = asked[6] ?? 0
    const at = new Date(middle).toISOString()
    expect(await read('agent_turns', { from: at })).toEqual(
      turns.filter((turn) => Number(turn.asked_at) >= middle),
    )
    expect(await read('agent_turns', { to: at })).toEqual(
      turns.filter((turn) => Number(turn.asked_at) < middle),
    )
    expect(await read('agent_turns', { revision: '2' })).toEqual([])
    expect(await read('agent_turns', { synthetic: 'false' })).toEqual([])
    expect(await read('participants', { synthetic: 'false' })).toEqual([])

    const of = { http: world().any().http, token, experimentId }
    for (const format of ['jsonl', 'csv', 'parquet'])
      await expectToContinue({ ...of, query: { table: 'agent_turns', format, synthetic: 'true' } })
    await expectToContinue({ ...of, query: { format: 'psych-ds', synthetic: 'true' } })
  })
})
