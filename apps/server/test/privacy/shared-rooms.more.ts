import { randomUUID } from 'node:crypto'
import { participantRoutes, privacyRoutes, roomRoutes } from '@atrium/contract'
import { describeInOneMode, succeeded, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { agentsIn, calling, quick } from '../agents/bargaining.ts'
import { tracesOf } from './traces.ts'

describeInOneMode('deleting somebody from a room with others', (world) => {
  const { table, model, turns, answers } = agentsIn(world)
  const erase = async (experimentId: string, participantId: string) =>
    succeeded(
      await table.api.call(privacyRoutes.erase, {
        token: (await table.researcher()).token,
        params: { experimentId, participantId },
        query: { scope: 'all' },
      }),
    )

  test('[PR5,PR10] after the end: the others’ data and the room’s record stay whole', async () => {
    const experimentId = await table.open({
      name: 'Pots',
      states: [
        {
          id: 'talk',
          components: [{ id: 'words', type: 'text_response' }],
          end: { on: 'button' },
          onEnd: { pot: 'pot + 1' },
        },
      ],
      variables: { pot: 0 },
      matching: { groupSize: 2 },
      pacing: 'room',
    })
    const { roomId, sessions } = await table.seat(experimentId, 2)
    const sockets = await Promise.all(sessions.map((session) => table.connect(session)))
    const words = sessions.map(() => `words ${randomUUID()}`)
    for (const [index, socket] of sockets.entries()) {
      const answer = { componentId: 'words', value: words[index] }
      expect(await socket.act('submit_response', answer)).toMatchObject({ ok: true })
      // Whoever is last has the room's record.
      expect(await socket.act('ready')).toMatchObject({ ok: true })
    }
    for (const socket of sockets) await socket.event('finished')
    const [theirs, others] = [sessions[1], sessions[0]]
    if (!theirs || !others) throw new Error('two people sat in the room')
    const linesOfOthers = async () =>
      (await table.exported(experimentId)).filter((line) => line.participantId === others.participantId)
    const isOfRoom = ({ type, data }: { type: string; data: Record<string, unknown> }) =>
      type === 'variables_changed' && data.scope === 'room'
    const all = await table.exported(experimentId)
    const before = await linesOfOthers()
    await erase(experimentId, theirs.participantId)
    const after = await linesOfOthers()
    expect(after.filter((line) => !isOfRoom(line))).toEqual(before.filter((line) => !isOfRoom(line)))
    const changesIn = (lines: typeof all) =>
      lines
        .filter(isOfRoom)
        .map(({ data }) => JSON.stringify(data))
        .sort()
    expect(changesIn(all).join()).toContain('"pot"')
    expect(changesIn(after)).toEqual(changesIn(all))
    expect(await tracesOf(world(), words[1] ?? '')).toEqual([])
    expect(await tracesOf(world(), words[0] ?? '')).not.toEqual([])
    const { token } = await table.researcher()
    expect(succeeded(await table.api.call(roomRoutes.state, { token, params: { roomId } }))).toMatchObject({
      roomId,
    })
    for (const socket of sockets) socket.close()
  })

  test('[PR5] what agents were asked and noted goes, what that cost stays', async () => {
    const words = `words ${randomUUID()}`
    const { credentialId } = await model({
      onCompletion: (request) =>
        calling({
          reasoning: JSON.stringify(request).includes(words) ? `They said: ${words}` : 'Nothing yet.',
          action: { name: 'wait' },
        }),
    })
    const agent = {
      id: 'robin',
      name: 'Robin',
      seats: 1,
      instructions: 'Listen.',
      pacing: quick,
      credentialId,
    }
    const experimentId = await table.open({
      name: 'Listening',
      consent: { sendsTextToModels: true },
      states: [{ id: 'talk', components: [{ id: 'chat', type: 'chat' }] }],
      matching: { groupSize: 2 },
      dropout: { policy: 'continue' },
      agents: [agent],
    })
    const joined = [await table.join(experimentId), await table.join(experimentId)]
    const events = [{ type: 'consent_given', timestamp: 1, data: {} }]
    for (const session of joined)
      succeeded(await table.api.call(participantRoutes.eventsV4, { session, body: { events } }))
    const ids = joined.map(({ participantId }) => participantId)
    const roomId = await table.seatByHand(experimentId, ids)
    const [gone, stays] = joined
    if (!gone || !stays) throw new Error('two people have joined')
    const socket = await table.connect({ ...gone, roomId })
    const other = await table.connect({ ...stays, roomId })
    expect(await socket.act('send_message', { componentId: 'chat', text: words })).toMatchObject({ ok: true })
    await waitUntil(
      async () =>
        JSON.stringify(await turns(experimentId)).includes(words) || 'the agent has not heard it yet',
      { everyMs: 200 },
    )
    const calls = (await turns(experimentId)).length
    await erase(experimentId, gone.participantId)
    expect(await tracesOf(world(), words)).toEqual([])
    const kept = (await turns(experimentId)).slice(0, calls)
    expect(kept).toMatchObject(kept.map(() => ({ request: null, reply: null, usage: { promptTokens: 100 } })))
    expect(kept).toHaveLength(calls)
    for (const one of [socket, other]) one.close()
  })

  test('[PR5,RM171] what an agent had inherited from them goes, what it answered itself stays', async () => {
    const own = { id: 'words', type: 'text_input', saveTo: 'words' }
    const experimentId = await table.open({
      name: 'Taken over',
      states: [
        {
          id: 'talk',
          components: [own, { id: 'rate', type: 'slider' }],
          end: { on: 'all_responded' },
        },
        { id: 'after', components: [] },
      ],
      variables: { words: { scope: 'participant', initial: '' } },
      matching: { groupSize: 2 },
      dropout: { policy: 'replace_with_agent' },
      agents: [
        {
          ...{ id: 'robin', name: 'Robin', provider: 'Scripted', replaces: true, instructions: '' },
          script: [{ answers: { rate: 7 } }],
          pacing: quick,
        },
      ],
    })
    const { sessions } = await table.seat(experimentId, 2)
    const [gone, stays] = sessions
    if (!gone || !stays) throw new Error('two people sit in the room')
    const [leaving, staying] = [await table.connect(gone), await table.connect(stays)]
    const [theirs, others] = [`words ${randomUUID()}`, `words ${randomUUID()}`]
    await leaving.act('submit_response', { componentId: 'words', value: theirs })
    await staying.act('submit_response', { componentId: 'words', value: others })
    await leaving.act('leave')
    await staying.act('submit_response', { componentId: 'rate', value: 3 })
    await staying.event('state_entered', ({ state }) => state.id === 'after')
    const given = async () =>
      (await answers(experimentId)).map(({ participantId, agent, answerSource, value }) => [
        agent ?? participantId,
        answerSource,
        value,
      ])
    const [left, stayed] = [gone.participantId, stays.participantId]
    const kept = [
      [stayed, 'person', others],
      [stayed, 'person', 3],
      ['robin', 'script', 7],
    ]
    expect(await given()).toEqual(
      expect.arrayContaining([...kept, [left, 'person', theirs], ['robin', 'inherited', theirs]]),
    )
    const inherited = (await table.exported(experimentId)).filter(({ data }) =>
      JSON.stringify(data).includes('"cause":"inherited"'),
    )
    expect(inherited).toMatchObject([
      { type: 'variables_changed', data: { changes: [{ variable: 'words', value: theirs }] } },
    ])
    await erase(experimentId, left)
    expect(await tracesOf(world(), theirs)).toEqual([])
    expect(await given()).toEqual(expect.arrayContaining([...kept, ['robin', null, null]]))
    for (const socket of [leaving, staying]) socket.close()
  })
})
