import { type ExperimentDefinition, participantRoutes, roomRoutes } from '@atrium/contract'
import { createApi, describeInBothModes, type RoomSocket, succeeded } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { refusalOf } from '../stories/refusal.ts'
import { lobbyIn } from '../waiting/lobby.ts'
import { acknowledged } from './table.ts'

/** As for people from Prolific's study `s1`: its own code, then that of all studies, then that of every site. */
const codes = {
  SUCCESS: 'S1-DONE',
  TECHNICAL: 'S1-TECH',
  PARTNER_LEFT: 'P-ALONE',
  ABANDONED: 'P-GONE',
  TIMEOUT: 'LATE',
  NOT_MATCHED: 'P-NOBODY',
}
type Outcome = keyof typeof codes

const recruited: Partial<ExperimentDefinition> = {
  completion: { codes: { SUCCESS: 'DONE', TECHNICAL: 'TECH', ABANDONED: 'GONE', TIMEOUT: 'LATE' } },
  recruiting: {
    prolific: {
      codes: {
        ...{ SUCCESS: 'P-DONE', TECHNICAL: 'P-TECH', ABANDONED: 'P-GONE' },
        ...{ PARTNER_LEFT: 'P-ALONE', NOT_MATCHED: 'P-NOBODY' },
      },
      studies: { s1: { codes: { SUCCESS: 'S1-DONE', TECHNICAL: 'S1-TECH' } } },
    },
  },
}
const pair: ExperimentDefinition = {
  name: 'A pair from Prolific',
  ...recruited,
  states: [{ id: 'only', components: [] }],
  matching: { groupSize: 2 },
  dropout: { policy: 'end', graceMs: 60_000 },
}
const hurried: ExperimentDefinition = {
  ...pair,
  states: [
    // The clock runs once everybody is connected, however long that takes.
    { id: 'before', components: [] },
    { id: 'only', components: [], end: { on: 'button', afterMs: 200, onTimeout: { outcome: 'TIMEOUT' } } },
  ],
}

describeInBothModes('The code and the way back of people from Prolific', (world) => {
  const lobby = lobbyIn(world)
  /** Each instance must give the same. */
  const anyApi = createApi(() => world().any().http)
  let arrivals = 0

  const arrive = (experimentId: string) =>
    lobby.join(experimentId, { metadata: { PROLIFIC_PID: `p-${arrivals++}`, STUDY_ID: 's1' } })
  type Person = Awaited<ReturnType<typeof arrive>>

  async function seated(definition = pair) {
    const experimentId = await lobby.open(definition)
    const people = [await arrive(experimentId), await arrive(experimentId)] as const
    const roomId = await lobby.seatByHand(
      experimentId,
      people.map(({ participantId }) => participantId),
    )
    const enter = async (person: Person) => {
      const room = await lobby.connect({ ...person, roomId })
      onTestFinished(() => room.close())
      return { person, room }
    }
    const [ann, bob] = [await enter(people[0]), await enter(people[1])]
    return { experimentId, roomId, ann, bob }
  }

  /** Told by the completion, each time, and to whoever joins again. */
  async function expectGiven(
    session: { sessionId: string },
    { token }: Person,
    outcome: Outcome,
    at: string,
  ) {
    const given = {
      outcome,
      completionCode: codes[outcome],
      redirectUrl: `https://app.prolific.com/submissions/complete?cc=${codes[outcome]}`,
    }
    for (const completionCode of ['SUCCESS', 'TIMEOUT']) {
      const answer = await anyApi.call(participantRoutes.completeV4, { session, body: { completionCode } })
      expect(succeeded(answer).data).toEqual({ ...given, sessionEnded: true })
    }
    const again = await anyApi.call(participantRoutes.joinV4, { token, body: { experimentId: at } })
    expect(refusalOf(again).details).toMatchObject({ reason: 'already_completed', ...given })
    return given
  }

  const finished = (room: RoomSocket) => room.event('finished')

  test('[R20,RC1] at the end of the flow', async () => {
    const { experimentId, ann, bob } = await seated()
    for (const { room } of [ann, bob]) await acknowledged(room.act('ready'))
    for (const { person, room } of [ann, bob]) {
      expect(await finished(room)).toMatchObject({ outcome: 'SUCCESS', completionCode: null })
      await expectGiven(person, person, 'SUCCESS', experimentId)
    }
  })

  test('[R20,RC1] when a researcher ends the room', async () => {
    const { experimentId, roomId, ann, bob } = await seated()
    await lobby.endRoom(roomId)
    for (const { person, room } of [ann, bob]) {
      await finished(room)
      await expectGiven(person, person, 'TECHNICAL', experimentId)
    }
  })

  test('[RM38,RC1] when a researcher removes them: at once, and if they come back', async () => {
    const { experimentId, roomId, ann } = await seated()
    const { token } = await lobby.researcher()
    const params = { roomId, participantId: ann.person.participantId }
    succeeded(await lobby.api.call(roomRoutes.remove, { token, params, body: {} }))
    const { outcome, completionCode } = await finished(ann.room)
    const again = await ann.person.joinAgain()
    const given = await expectGiven(again, ann.person, 'TECHNICAL', experimentId)
    expect({ outcome, completionCode }).toEqual({
      outcome: given.outcome,
      completionCode: given.completionCode,
    })
  })

  test('[R20,RC1] when somebody leaves, and when their partner has', async () => {
    const { experimentId, ann, bob } = await seated()
    await acknowledged(ann.room.act('leave'))
    await finished(bob.room)
    await expectGiven(ann.person, ann.person, 'ABANDONED', experimentId)
    await expectGiven(bob.person, bob.person, 'PARTNER_LEFT', experimentId)
  })

  test('[R20,RC1] at a deadline', async () => {
    const { experimentId, ann, bob } = await seated(hurried)
    for (const { room } of [ann, bob]) await acknowledged(room.act('ready'))
    await finished(ann.room)
    await expectGiven(ann.person, ann.person, 'TIMEOUT', experimentId)
  })

  test('[R20,RC1] after waiting in vain', async () => {
    const experimentId = await lobby.open({
      ...pair,
      matching: { groupSize: 2, deadlineMs: 1, onDeadline: 'end_paid' },
    })
    const person = await arrive(experimentId)
    const ended = await person.wait().ended()
    const { completionCode, redirectUrl } = await expectGiven(person, person, 'NOT_MATCHED', experimentId)
    expect(ended).toMatchObject({ reason: 'deadline', completionCode, redirectUrl })
  })

  test('[RM79] a completion reaches the room, whichever instance is asked for it', async () => {
    for (const server of world().servers) {
      const { ann, bob } = await seated({ ...pair, completion: { ...pair.completion, verify: 'none' } })
      const { alias } = ann.room.snapshot().self
      const body = { completionCode: 'TIMEOUT' }
      const options = { session: ann.person, body }
      succeeded(await createApi(server.http).call(participantRoutes.completeV4, options))
      await bob.room.event('seat', (seat) => seat.alias === alias && seat.status === 'finished')
      expect(await finished(bob.room)).toMatchObject({ outcome: 'PARTNER_LEFT' })
    }
  })
})
