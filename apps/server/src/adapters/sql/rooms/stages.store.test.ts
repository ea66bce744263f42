import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { anAppend, joined, openExperiment, startOfTime } from '../../../../test/stores/samples.ts'

const page = (id: string) => ({ id, components: [] })
const orders = (id: string, states: string[]) => [{ id, states, order: 'latin_square' as const }]

describeOnBothEngines('stages', (engine) => {
  async function study() {
    const { database, rows } = engine()
    const experimentId = await openExperiment(database, {
      stages: [
        { id: 'one', states: [page('a'), page('b')], blocks: orders('first', ['a', 'b']) },
        {
          id: 'two',
          states: [page('c'), page('d')],
          blocks: orders('second', ['c', 'd']),
          conditions: { values: ['p', 'q'] },
        },
      ],
    })
    const { rooms } = database
    let number = 0
    /** Somebody plays the first stage and gets a room in the second. */
    async function goOn() {
      const session = await joined(database, experimentId)
      const { participantId, roomId: first } = session
      const opened = await rooms.claim(first ?? '', 'pod-0', 'seed')
      if (!opened) throw new Error('there is no first room')
      const carried = JSON.stringify({
        variables: { side: 'for' },
        condition: opened.assignment?.conditions?.[0],
      })
      const onward = [{ participantId, stage: 'two', carried }]
      const append = { ...anAppend(first ?? '', 1, opened.epoch), onward }
      const [outcome] = await rooms.append([append])
      const roomId = `${experimentId}_room_${++number}`
      const members = [{ participantId, role: 'participant' }]
      const making = { roomId, experimentId, podId: 'pod-0', members, agents: [], now: startOfTime }
      return { session, first, opened, outcome, append, roomId, make: async () => await rooms.create(making) }
    }
    return { database, rows, experimentId, goOn }
  }

  test('[R68,S64] whoever goes on has no room until they get the next, which opens with what they bring', async () => {
    const { database, rows, goOn } = await study()
    const { session, first, outcome, roomId, make } = await goOn()
    expect(outcome).toMatchObject({ kind: 'stored' })
    expect(await database.sessions.find(session.sessionId)).toMatchObject({ roomId: null, stage: 'two' })
    expect(await database.rooms.variablesOf(session.participantId)).toEqual({ side: 'for' })
    expect(await make()).toEqual({ kind: 'created' })
    const claimed = await database.rooms.claim(roomId, 'pod-0', 'seed')
    expect(claimed).toMatchObject({ stage: 'two', members: [{ carried: { variables: { side: 'for' } } }] })
    expect(await database.rooms.find(first ?? '')).toMatchObject({
      stage: null,
      members: [{ participantId: session.participantId }],
    })
    expect(await rows(`select stay, stage, room_id from former_stays where room_id = '${first}'`)).toEqual([
      { stay: 0, stage: null, room_id: first },
    ])
  })

  test('[R68,S64] whoever repeats what was stored goes on once', async () => {
    const { database, rows, goOn } = await study()
    const { append, first } = await goOn()
    expect(await database.rooms.append([append])).toMatchObject([{ kind: 'fenced' }])
    expect(await rows(`select stay from former_stays where room_id = '${first}'`)).toHaveLength(1)
  })

  test('[R68,S65] a later stage balances for itself', async () => {
    const { database, rows, experimentId, goOn } = await study()
    const assigned: unknown[] = []
    for (let person = 0; person < 8; person++) {
      const { roomId, make } = await goOn()
      await make()
      const second = await database.rooms.claim(roomId, 'pod-0', 'seed')
      assigned.push([second?.assignment?.condition, second?.assignment?.rows])
    }
    expect(new Set(assigned.map((one) => JSON.stringify(one))).size).toBe(4)
    const cells = await rows(
      `select people from assignment_counts where experiment_id = '${experimentId}' and design like 'two %'`,
    )
    expect(cells.map(({ people }) => Number(people))).toEqual([2, 2, 2, 2])
  })

  test('[R68,S65] a condition of the whole study is the participant’s own, also where they are alone at first', async () => {
    const { database, rows } = engine()
    const experimentId = await openExperiment(database, {
      conditions: { values: ['x', 'y'], per: 'participant' },
      stages: [
        { id: 'one', states: [page('a')] },
        { id: 'two', states: [page('b')] },
      ],
    })
    const { roomId, participantId } = await joined(database, experimentId)
    const claimed = await database.rooms.claim(roomId ?? '', 'pod-0', 'seed')
    const own = `select condition from assignments where participant_id = '${participantId}'`
    expect(await rows(own)).toEqual([{ condition: claimed?.assignment?.condition }])
  })

  test('[R68] people who wait for different stages never share a room', async () => {
    const { database, experimentId, goOn } = await study()
    const { session, roomId } = await goOn()
    const other = await joined(database, experimentId)
    const members = [session, other].map(({ participantId }) => ({ participantId, role: 'participant' }))
    const making = { roomId, experimentId, podId: 'pod-0', members, agents: [], now: startOfTime }
    expect(await database.rooms.create(making)).toEqual({
      kind: 'unfit',
      participantIds: [other.participantId],
    })
  })
})
