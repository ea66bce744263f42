import { expect, test } from 'vitest'
import { aCall } from '../../../../test/stores/agent-samples.ts'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { anEvent, joined, openExperiment, startOfTime } from '../../../../test/stores/samples.ts'
import { newRoomId } from '../../../kernel/ids.ts'
import type { AgentCall, RoomAppend, SeatedAgent } from '../../../modules/rooms/rooms.store.ts'

describeOnBothEngines('agents in what a room appends', (engine) => {
  async function room() {
    const { database, rows } = engine()
    const experimentId = await openExperiment(database)
    const people = [
      await joined(database, experimentId, { soloRoom: false }),
      await joined(database, experimentId, { soloRoom: false, now: startOfTime + 1 }),
    ]
    const roomId = newRoomId()
    const members = people.map(({ participantId }) => ({ participantId, role: null }))
    await database.rooms.create({ roomId, experimentId, members, agents: [], podId: 'pod', now: startOfTime })
    const claimed = await database.rooms.claim(roomId, 'pod', 'seed')
    const agentId = `agent_${roomId}_3`
    const seated: SeatedAgent = {
      participantId: agentId,
      experimentId,
      agentId: 'robo',
      alias: 'P3',
      role: 'participant',
    }
    const line = (seq: number, types: string[], more: Partial<RoomAppend> = {}): RoomAppend => ({
      roomId,
      seq,
      records: types.map((type) => ({
        participantId: agentId,
        event: { ...anEvent(1, { type }), round: 1, visit: 1 },
      })),
      epoch: claimed?.epoch ?? 0,
      at: startOfTime + seq,
      action: '{}',
      actor: agentId,
      actionId: null,
      status: null,
      condition: null,
      decisions: [],
      ...more,
    })
    const call = (number: number, more: Partial<AgentCall> = {}): AgentCall => ({
      ...aCall(experimentId, roomId),
      callId: `call-${roomId}-${number}`,
      participantId: agentId,
      agentId: 'robo',
      turnId: `${agentId}.1`,
      attempt: number,
      askedAt: startOfTime + number,
      latencyMs: 250,
      usage: { promptTokens: 10, completionTokens: 5 },
      money: 0.125,
      request: '{"a":1}',
      reply: '{"b":2}',
      ...more,
    })
    return {
      database,
      experimentId,
      roomId,
      people,
      agentId,
      seated,
      line,
      call,
      append: (...appends: RoomAppend[]) => database.rooms.append(appends),
      /** What is in the agent's own record, in order. */
      recorded: async () =>
        await rows(
          `select e.seq, e.type, e.room_seq from events e join event_streams t on t.stream_no = e.stream_no
           join agent_participants a on a.session_id = t.session_id where a.participant_id = '${agentId}' order by e.seq`,
        ),
      agents: async () =>
        await rows(
          `select alias, role, agent_id, seated_at from agent_participants where room_id = '${roomId}'`,
        ),
      calls: async () =>
        await rows(`select * from agent_calls where room_id = '${roomId}' order by asked_at`),
    }
  }
  const numbers = (row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, /^\d+$/.test(`${value}`) ? Number(value) : value]),
    )

  test('[R44,RM130] what an agent does is in the record of a participant of its own, without gaps', async () => {
    const { append, line, seated, recorded, agents } = await room()
    await append(line(1, ['state_transition'], { seated: [seated] }), line(2, ['agent_turn']))
    await append(line(3, ['chat_message', 'agent_turn']))
    expect((await recorded()).map(numbers)).toEqual([
      { seq: 1, type: 'state_transition', room_seq: 1 },
      { seq: 2, type: 'agent_turn', room_seq: 2 },
      { seq: 3, type: 'chat_message', room_seq: 3 },
      { seq: 4, type: 'agent_turn', room_seq: 3 },
    ])
    expect((await agents()).map(numbers)).toEqual([
      { alias: 'P3', role: 'participant', agent_id: 'robo', seated_at: startOfTime + 1 },
    ])
  })

  test('[RM130] seating an agent twice changes nothing; a mediator has no role', async () => {
    const { append, line, seated, recorded, agents } = await room()
    const mediator = { ...seated, participantId: `${seated.participantId}m`, alias: 'Guide', role: null }
    await append(line(1, ['one'], { seated: [seated, mediator] }))
    await append(line(2, ['two'], { seated: [{ ...seated, alias: 'P9' }] }))
    expect((await agents()).map(({ alias, role }) => [alias, role]).sort()).toEqual([
      ['Guide', null],
      ['P3', 'participant'],
    ])
    expect(await recorded()).toHaveLength(2)
  })

  test('[R45,RM130] calls are stored with the action, heavy ones too', async () => {
    const { append, line, seated, call, calls } = await room()
    const heavy = JSON.stringify('日本語 🏳️‍🌈 \u0000'.repeat(20_000))
    await append(
      line(1, [], { seated: [seated], calls: [call(1, { outcome: 'retried', request: heavy }), call(2)] }),
    )
    const [first, second] = await calls()
    expect(first).toMatchObject({ outcome: 'retried', request: heavy })
    expect(numbers(second ?? {})).toMatchObject({
      attempt: 2,
      latency_ms: 250,
      prompt_tokens: 10,
      completion_tokens: 5,
      money: 0.125,
      reply: '{"b":2}',
      credential_id: null,
      error: null,
    })
  })

  test('[R40,RM130] nothing that a model server counts or writes can fail in the store', async () => {
    const { append, line, seated, call, calls } = await room()
    const wild = [
      call(1, { usage: { promptTokens: 1e300, completionTokens: -3.5 }, error: 'a\u0000b\ud800c' }),
      call(2, {
        usage: { promptTokens: Number.NaN, completionTokens: 2.4 },
        money: Infinity,
        latencyMs: 0.6,
      }),
      call(3, { usage: null, latencyMs: null, request: null, reply: null, promptHash: null }),
    ]
    expect(await append(line(1, ['agent_turn'], { seated: [seated], calls: wild }))).toEqual([
      { kind: 'stored' },
    ])
    expect((await calls()).map(numbers)).toMatchObject([
      { prompt_tokens: 2_147_483_647, completion_tokens: 0, error: 'a\ufffdb\ufffdc' },
      { prompt_tokens: 0, completion_tokens: 2, money: 0, latency_ms: 1 },
      { prompt_tokens: null, latency_ms: null, request: null },
    ])
  })

  test('[RM52,RM130] a former owner seats nobody and leaves no call', async () => {
    const { database, roomId, append, line, seated, call, calls, agents, recorded } = await room()
    const stale = [
      line(1, ['agent_turn'], { seated: [seated], calls: [call(1)] }),
      line(2, ['agent_turn'], { calls: [call(2)] }),
    ]
    await database.rooms.claim(roomId, 'other pod', 'seed')
    expect(await append(...stale)).toEqual([{ kind: 'fenced' }, { kind: 'fenced' }])
    expect([await agents(), await calls(), await recorded()]).toEqual([[], [], []])
  })

  test('[RM130] agents are in no count of people', async () => {
    const { database, experimentId, roomId, people, agentId, append, line, seated } = await room()
    const before = await database.rooms.countAwake()
    await append(line(1, ['agent_turn'], { seated: [seated] }))
    expect(await database.rooms.countAwake()).toEqual(before)
    expect((await database.rooms.find(roomId))?.members).toHaveLength(people.length)
    const listing = { experimentId, openOnly: false, before: null, limit: 10, now: startOfTime }
    expect(await database.rooms.list(listing)).toMatchObject([{ participants: 2, active: 2 }])
    const ids = [...people.map(({ participantId }) => participantId), agentId]
    const partners = await database.rooms.formerPartners(experimentId, ids)
    expect(partners.flat()).not.toContain(agentId)
    expect(await database.rooms.departures(roomId)).toEqual({ completed: [], withdrawn: [] })
  })
})
