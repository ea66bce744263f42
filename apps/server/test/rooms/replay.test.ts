import {
  type ExperimentDefinition,
  privacyRoutes,
  type RoomAtMoment,
  type RoomMoment,
  type RoomMoments,
  replayRoutes,
} from '@atrium/contract'
import { codeOf, createApi, describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { acknowledged, tableIn } from './table.ts'

const game: ExperimentDefinition = {
  name: 'Pots',
  states: [
    {
      id: 'give',
      name: 'Contribute',
      components: [
        { id: 'much', type: 'slider', saveTo: 'given' },
        { id: 'talk', type: 'chat' },
      ],
      end: { on: 'all_responded' },
    },
    { id: 'bye', name: 'Goodbye', components: [] },
  ],
  blocks: [{ id: 'game', states: ['give'], rounds: 2 }],
  variables: { given: { scope: 'participant', initial: 0 }, pot: { initial: 5, secret: true } },
  matching: { groupSize: 2 },
}

describeInOneMode('The replay of a room', (world) => {
  const table = tableIn(world)
  const moments = async (roomId: string, query = {}, api = table.api): Promise<RoomMoments> => {
    const { token } = await table.researcher()
    return succeeded(await api.call(replayRoutes.moments, { token, params: { roomId }, query }))
  }
  const at = async (roomId: string, query = {}): Promise<RoomAtMoment> => {
    const { token } = await table.researcher()
    return succeeded(await table.api.call(replayRoutes.at, { token, params: { roomId }, query }))
  }

  async function played() {
    const experimentId = await table.open(game)
    const { roomId, sessions } = await table.seat(experimentId, 2)
    const sockets = await Promise.all(sessions.map((session) => table.connect(session)))
    const [first, second] = sockets
    const ids = sessions.map(({ participantId }) => participantId)
    if (!first || !second) throw new Error('two people sat in the room')
    await acknowledged(second.act('send_message', { text: 'all of it?', componentId: 'talk' }))
    for (const value of [7, 8]) {
      await acknowledged(first.act('submit_response', { componentId: 'much', value }))
      await acknowledged(second.act('submit_response', { componentId: 'much', value: value - 5 }))
    }
    return { experimentId, roomId, ids, first, second, sessions }
  }
  const numberOf = (found: readonly RoomMoment[], kind: string, index = 0): string =>
    String(found.filter((moment) => moment.kind === kind)[index]?.number)

  it('[RM140] shows each moment from above and as each participant saw it', async () => {
    const { roomId, ids, first, second } = await played()
    const { moments: found, seats, isWhole, next } = await moments(roomId)
    expect([isWhole, next, seats.map(({ alias }) => alias)]).toEqual([true, null, ['P1', 'P2']])
    expect(
      found
        .filter(({ kind }) => kind === 'submit_response')
        .map(({ alias, detail, state }) => [alias, detail, state?.round ?? state?.name]),
    ).toEqual([
      ['P1', '7', 1],
      ['P2', '2', 2],
      ['P1', '8', 2],
      ['P2', '3', 'Goodbye'],
    ])
    const answered = await at(roomId, { at: numberOf(found, 'submit_response'), as: ids[0] })
    expect(answered).toMatchObject({
      round: 1,
      rounds: 2,
      room: { stateId: 'give', variables: { pot: 5 } },
      seats: [
        { alias: 'P1', answers: [{ componentId: 'much', value: 7 }] },
        { alias: 'P2', answers: [] },
      ],
      messages: [{ from: 'P2', text: 'all of it?', to: null }],
      study: { name: 'Pots', language: 'en' },
      view: { self: { alias: 'P1', responses: { much: 7 }, variables: { given: 7 } } },
    })
    // Nothing that they did not see.
    expect(answered.view?.variables).toEqual({})
    const others = await at(roomId, { at: numberOf(found, 'submit_response'), as: ids[1] })
    expect(others.view?.self.responses).toEqual({})

    const newest = await at(roomId)
    const report = await table.report(roomId)
    expect(newest.room).toEqual({ ...report, podId: null, resting: false })
    for (const socket of [first, second]) socket.close()
  })

  it('[RM140] is the snapshot that was sent at that moment', async () => {
    const { roomId, ids, first, second, sessions } = await played()
    second.close()
    await first.event('presence', ({ presence }) => presence === 'away')
    const [, session] = sessions
    if (!session) throw new Error('two people sat in the room')
    const back = await table.connect(session)
    const sent = back.snapshot()
    const found = (await moments(roomId)).moments.filter(({ kind }) => kind === 'connected')
    const { view } = await at(roomId, { at: String(found.at(-1)?.number), as: ids[1] })
    expect({ ...view, serverTime: 0 }).toEqual({ ...sent, serverTime: 0 })
    for (const socket of [first, back]) socket.close()
  })

  it('[RM140] is paged, the same on every instance, and there after the end', async () => {
    const { roomId, ids, first, second } = await played()
    for (const socket of [first, second]) await acknowledged(socket.act('ready'))
    await first.event('room_ended')
    const whole = await moments(roomId)
    expect(whole.moments.at(-1)).toMatchObject({ ended: true })
    for (const { http } of world().servers) expect(await moments(roomId, {}, createApi(http))).toEqual(whole)
    const read: RoomMoment[] = []
    let after: number | null = 0
    while (after !== null) {
      const page: RoomMoments = await moments(roomId, { after: String(after), limit: '3' })
      read.push(...page.moments)
      after = page.next
    }
    expect(read).toEqual(whole.moments)
    expect((await at(roomId, { as: ids[0] })).view).toMatchObject({ status: 'ended', state: null })
    expect((await at(roomId, { at: '1', as: ids[0] })).view).toMatchObject({
      state: { id: 'give', round: 1 },
    })
    expect((await at(roomId, { at: '1', as: 'agent_nobody' })).view).toBeNull()
    for (const socket of [first, second]) socket.close()
  })

  it('[RM140] wakes and moves no room', async () => {
    const experimentId = await table.open({ name: 'Alone', states: [{ id: 'ask', components: [] }] })
    const { roomId } = await table.join(experimentId)
    expect(await moments(roomId)).toMatchObject({ moments: [], next: null })
    expect(await at(roomId)).toMatchObject({ number: 0, seats: [], view: null })
    expect(await table.report(roomId)).toMatchObject({ resting: true, podId: null })
  })

  it('[RM141] forgets who was deleted, also what was kept in memory', async () => {
    const { experimentId, roomId, ids, first, second } = await played()
    for (const socket of [first, second]) await acknowledged(socket.act('ready'))
    await first.event('room_ended')
    for (const socket of [first, second]) socket.close()
    expect(JSON.stringify(await moments(roomId))).toContain('all of it?')
    const { token } = await table.researcher()
    succeeded(
      await table.api.call(privacyRoutes.erase, {
        token,
        params: { experimentId, participantId: ids[1] ?? '' },
        query: { scope: 'all' },
      }),
    )
    const left = await moments(roomId)
    expect(left.isWhole).toBe(true)
    // Everything that the other one did, and of the deleted one only that they did something.
    const kinds = (who: string) => left.moments.flatMap(({ alias, kind }) => (alias === who ? [kind] : []))
    expect(kinds('P1')).toContain('submit_response')
    expect(new Set(kinds('P2'))).toEqual(new Set(['erased']))
    const answered = await at(roomId, { at: numberOf(left.moments, 'submit_response'), as: ids[0] })
    expect(answered).toMatchObject({
      round: 1,
      seats: [
        { alias: 'P1', answers: [{ componentId: 'much', value: 7 }] },
        { alias: 'P2', answers: [] },
      ],
      messages: [],
      view: { status: 'running', self: { alias: 'P1', responses: { much: 7 }, variables: { given: 7 } } },
    })
    // The round went on as it did then, although nothing says why any more.
    const later = await at(roomId, { at: numberOf(left.moments, 'submit_response', 1), as: ids[0] })
    expect(later).toMatchObject({ round: 2, view: { self: { responses: { much: 8 } } } })
    const replayed = await at(roomId, { as: ids[0] })
    expect(replayed.view).toMatchObject({ status: 'ended', self: { alias: 'P1' } })
    const all = [left, answered, later, replayed]
    expect(JSON.stringify(all)).not.toMatch(new RegExp(`all of it|${ids[1]}`))
    for (const { number } of left.moments)
      expect((await at(roomId, { at: String(number) })).seats[1]).toMatchObject({ alias: 'P2', answers: [] })
  })

  it('refuses what is no moment, and rooms that do not exist', async () => {
    const { token } = await table.researcher()
    const experimentId = await table.open(game)
    const { roomId } = await table.seat(experimentId, 2)
    const refusal = async (room: string, query: Record<string, string>) =>
      codeOf(await table.api.call(replayRoutes.at, { token, params: { roomId: room }, query }))
    for (const query of [{ at: '-1' }, { at: '1.5' }, { at: 'last' }, { as: 'P1' }, { as: '' }])
      expect([query, await refusal(roomId, query)]).toEqual([query, 'VALIDATION_FAILED'])
    expect(await refusal('room_nothing', {})).toBe('ROOM_NOT_FOUND')
  })
})
