import type { AgentTurnRecord } from '@atrium/contract'
import { linesOf } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { aCall, aPilot, aRoomWithAgents } from '../../../../test/stores/agent-samples.ts'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { openExperiment, startOfTime } from '../../../../test/stores/samples.ts'
import type { CallPosition, ExportedCalls } from '../../../modules/agents/turns.store.ts'
import type { AgentCall } from '../../../modules/rooms/rooms.store.ts'

describeOnBothEngines('calls of models', (engine) => {
  const record = (calls: AgentCall[]) => engine().database.agentRunner.record(calls)
  async function exported(experimentId: string, more: Partial<ExportedCalls> = {}) {
    const { agentTurns } = engine().database
    const turns: AgentTurnRecord[] = []
    const sizes: number[] = []
    let next: CallPosition | null = null
    do {
      const page = await agentTurns.exportPage(
        { experimentId, roomId: null, source: 'people', ...more },
        next,
      )
      const lines = linesOf(page.lines) as AgentTurnRecord[]
      expect(lines.length).toBe(page.events)
      turns.push(...lines)
      sizes.push(page.lines.length)
      next = page.next
    } while (next !== null)
    return { turns, sizes }
  }
  const hour = { from: startOfTime, to: startOfTime + 3_600_000, bucketMs: 600_000 }

  test('[R45,AT2] every call is exported once, in the order of asking, on pages of bounded size', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { roomId } = await aRoomWithAgents(database, experimentId)
    const large = JSON.stringify({ messages: ['x'.repeat(90_000)] })
    // Pairs in the same millisecond, and the order must still be total.
    const calls = Array.from({ length: 430 }, (_, number) =>
      aCall(experimentId, roomId, {
        callId: `call_${String(number).padStart(4, '0')}`,
        askedAt: startOfTime + Math.floor(number / 2),
        ...(number % 50 === 0 ? { request: large } : {}),
      }),
    )
    await record(calls.toReversed())
    const { turns, sizes } = await exported(experimentId)
    expect(turns.map(({ callId }) => callId)).toEqual(calls.map(({ callId }) => callId))
    expect(Math.max(...sizes)).toBeLessThan(500_000)
    expect(sizes.length).toBeGreaterThan(3)
    const { experimentId: _, request, reply, ...fields } = calls[1] ?? aCall('', '')
    expect(turns[1]).toEqual({
      ...fields,
      revision: 1,
      condition: null,
      request: JSON.parse(request ?? ''),
      reply: JSON.parse(reply ?? ''),
    })
    expect(await exported(await openExperiment(database))).toEqual({ turns: [], sizes: [0] })
  })

  test('[R45,AT1,AT2] one room; pilots are apart and marked, however many there are', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { roomId } = await aRoomWithAgents(database, experimentId)
    const other = await aRoomWithAgents(database, experimentId)
    const [pilotRoom = ''] = await aPilot(database, experimentId)
    const unasked = { request: null, reply: null, latencyMs: null, usage: null, promptHash: null }
    await record([
      aCall(experimentId, roomId, { callId: 'a', askedAt: 1, outcome: 'budget', ...unasked }),
      ...Array.from({ length: 450 }, (_, at) => aCall(experimentId, pilotRoom, { askedAt: 2 + at })),
      aCall(experimentId, other.roomId, { callId: 'b', askedAt: 1_000 }),
      aCall(experimentId, roomId, { callId: 'c', askedAt: 1_001 }),
    ])
    const ids = async (more: Partial<ExportedCalls>) =>
      (await exported(experimentId, more)).turns.map(({ callId }) => callId)
    expect(await ids({})).toEqual(['a', 'b', 'c'])
    expect(await ids({ roomId })).toEqual(['a', 'c'])
    expect(await ids({ roomId: pilotRoom })).toEqual([])
    const { turns } = await exported(experimentId, { source: 'pilots' })
    expect(turns.length).toBe(450)
    expect(turns.every(({ synthetic }) => synthetic)).toBe(true)
    const [first] = (await exported(experimentId)).turns
    expect(first).toMatchObject({ request: null, reply: null, usage: null, latencyMs: null })
    expect(first).not.toHaveProperty('synthetic')
    // The room must belong to the experiment that the asker may see.
    expect((await exported(await openExperiment(database), { roomId })).turns).toEqual([])
  })

  test('[R45] the calls of a room are listed newest first; very long ones come few at a time', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { roomId } = await aRoomWithAgents(database, experimentId)
    const reply = JSON.stringify('é'.repeat(180_000))
    const calls = Array.from({ length: 9 }, (_, number) =>
      aCall(experimentId, roomId, { callId: `call_${number}`, askedAt: startOfTime + number, reply }),
    )
    await record(calls)
    const first = await database.agentTurns.ofRoom({ roomId, before: null, limit: 5 })
    expect(first.isLast).toBe(false)
    expect(first.turns.map(({ callId }) => callId)).toEqual(['call_8', 'call_7'])
    const before = { askedAt: startOfTime + 2, callId: 'call_2' }
    const last = await database.agentTurns.ofRoom({ roomId, before, limit: 2 })
    expect(last).toMatchObject({ isLast: true, turns: [{ callId: 'call_1' }, { callId: 'call_0' }] })
    expect(await database.agentTurns.ofRoom({ roomId: 'room_x', before: null, limit: 2 })).toEqual({
      turns: [],
      isLast: true,
    })
  })

  test('[R45,AT1,AT3] figures by agent, outcome and time; pilots apart; of a credential, everything', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { roomId } = await aRoomWithAgents(database, experimentId)
    const [pilotRoom = ''] = await aPilot(database, experimentId)
    const credentialId = `cred_${experimentId}`
    const at = (ms: number, more: Partial<AgentCall> = {}) =>
      aCall(experimentId, roomId, { agentId: 'ada', credentialId, askedAt: startOfTime + ms, ...more })
    const failed = { outcome: 'timeout', usage: null, error: 'No reply in time.' } as const
    await record([
      at(-1, { latencyMs: 9 }),
      ...Array.from({ length: 20 }, (_, number) => at(number, { latencyMs: 100 * (number + 1) })),
      at(600_000, { ...failed, latencyMs: 60_000 }),
      at(600_001, { ...failed, latencyMs: null, error: 'Newer.' }),
      at(600_002, { agentId: 'bob', credentialId: null }),
      at(3_600_000),
      { ...at(5, { money: 7 }), roomId: pilotRoom },
    ])
    const sums = await database.agentTurns.sums({ kind: 'experiment', experimentId, source: 'people' }, hour)
    const ada = sums.counts.filter(({ agentId }) => agentId === 'ada')
    expect(ada.toSorted((one, other) => one.bucket - other.bucket)).toEqual([
      {
        ...{ agentId: 'ada', bucket: 0, outcome: 'applied', calls: 20 },
        ...{ promptTokens: 2_000, completionTokens: 200, money: 0.5 * 20 },
      },
      {
        ...{ agentId: 'ada', bucket: 1, outcome: 'timeout', calls: 2 },
        ...{ promptTokens: 0, completionTokens: 0, money: 1 },
      },
    ])
    expect(sums.latencies.filter(({ agentId }) => agentId === 'ada')).toEqual(
      expect.arrayContaining([
        { agentId: 'ada', bucket: null, p50: 1_100, p95: 2_000 },
        { agentId: 'ada', bucket: 0, p50: 1_000, p95: 1_900 },
        { agentId: 'ada', bucket: 1, p50: 60_000, p95: 60_000 },
      ]),
    )
    expect(sums.errors).toEqual([
      { agentId: 'ada', at: startOfTime + 600_001, outcome: 'timeout', message: 'Newer.' },
    ])
    const pilots = await database.agentTurns.sums(
      { kind: 'experiment', experimentId, source: 'pilots' },
      hour,
    )
    expect(pilots.counts).toMatchObject([{ agentId: 'ada', calls: 1, money: 7 }])
    const ofCredential = await database.agentTurns.sums({ kind: 'credential', credentialId }, hour)
    expect(ofCredential.counts.reduce((sum, { calls }) => sum + calls, 0)).toBe(23)
    expect(ofCredential.errors).toMatchObject([{ agentId: '', message: 'Newer.' }])
  })
})
