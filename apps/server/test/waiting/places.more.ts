import { participantRoutes } from '@atrium/contract'
import { createApi, createPerson, describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { acknowledged } from '../rooms/table.ts'
import { endless, lobbyIn } from './lobby.ts'

const states = [
  { id: 'first', components: [] },
  { id: 'second', components: [] },
]

describeInOneMode('Places become free again', (world) => {
  const lobby = lobbyIn(world)
  const anyApi = createApi(() => world().any().http)
  const knock = async (experimentId: string) => {
    const { token } = await createPerson(anyApi)
    return await anyApi.call(participantRoutes.joinV4, { token, body: { experimentId } })
  }
  const isFull = async (experimentId: string) => (await knock(experimentId)).status === 409
  const complete = async (session: { sessionId: string }, completionCode: string) =>
    succeeded(await anyApi.call(participantRoutes.completeV4, { session, body: { completionCode } }))

  test.each(['NO_CONSENT', 'SCREENED_OUT', 'ABANDONED'])(
    '[R56] a participant who ends with %s in the first state frees one place, and only one',
    async (outcome) => {
      const experimentId = await lobby.open(endless({ capacity: 1 }))
      const ann = await lobby.join(experimentId)
      expect(await isFull(experimentId)).toBe(true)
      await complete(ann, outcome)
      await complete(ann, outcome)
      expect(await lobby.monitor(experimentId)).toMatchObject({ availableSlots: 1 })
      expect((await knock(experimentId)).status).toBe(200)
      expect(await isFull(experimentId)).toBe(true)
    },
  )

  test('[R56] a participant who has completed keeps the place', async () => {
    const experimentId = await lobby.open(endless({ capacity: 1 }))
    await complete(await lobby.join(experimentId), 'SUCCESS')
    expect(await isFull(experimentId)).toBe(true)
  })

  const enter = async (experimentId: string) => {
    const person = await lobby.join(experimentId)
    const room = await lobby.connect(person)
    onTestFinished(() => room.close())
    return { person, room }
  }

  test('[R56] a participant who leaves a room in the first state frees a place; later they do not', async () => {
    const experimentId = await lobby.open({ name: 'x', states, capacity: 1, completion: { verify: 'room' } })
    const ann = await enter(experimentId)
    await acknowledged(ann.room.act('leave'))
    const bob = await enter(experimentId)
    await acknowledged(bob.room.act('ready'))
    await acknowledged(bob.room.act('leave'))
    expect(await isFull(experimentId)).toBe(true)
    // Participants who left can still fetch their code, which takes no place.
    expect((await complete(await ann.person.joinAgain(), 'SUCCESS')).data.outcome).toBe('ABANDONED')
    expect(await lobby.monitor(experimentId)).toMatchObject({ availableSlots: 0 })
  })

  test('[S44,R56] leaving in the first state frees the place too where the client decides', async () => {
    const experimentId = await lobby.open({ name: 'x', states, capacity: 1, completion: { verify: 'none' } })
    const ann = await enter(experimentId)
    expect(await isFull(experimentId)).toBe(true)
    await acknowledged(ann.room.act('leave'))
    expect(await lobby.monitor(experimentId)).toMatchObject({ availableSlots: 1 })
    await enter(experimentId)
    expect((await complete(ann.person, 'SUCCESS')).data.outcome).toBe('SUCCESS')
    expect(await lobby.monitor(experimentId)).toMatchObject({ availableSlots: 0 })
  })

  test('[R56] a participant who is not matched frees a place', async () => {
    const matching = { groupSize: 2, deadlineMs: 1_000, onDeadline: 'end_paid' as const }
    const experimentId = await lobby.open(endless({ capacity: 2, matching }))
    await lobby.join(experimentId)
    const ann = await lobby.come(experimentId)
    await ann.socket.ended()
    expect((await knock(experimentId)).status).toBe(200)
  })

  test('[R56,S25] a participant who stops waiting frees a place, and on return gets another one or finds none', async () => {
    const experimentId = await lobby.open(endless({ capacity: 2, matching: { groupSize: 2 } }))
    await lobby.join(experimentId)
    const ann = await lobby.come(experimentId)
    expect(await ann.socket.leave()).toMatchObject({ ok: true })
    expect(await lobby.monitor(experimentId)).toMatchObject({ availableSlots: 1 })
    const back = ann.wait(1)
    await back.status()
    expect(await lobby.monitor(experimentId)).toMatchObject({ availableSlots: 0 })
    expect(await back.leave()).toMatchObject({ ok: true })
    expect((await knock(experimentId)).status).toBe(200)
    expect(await ann.wait(0).ended()).toEqual({ reason: 'full', completionCode: null, redirectUrl: '' })
    expect(
      await anyApi.call(participantRoutes.joinV4, { token: ann.token, body: { experimentId } }),
    ).toMatchObject({ status: 409, body: { error: { details: { reason: 'full' } } } })
  })

  // Here and not with the other tests of the waiting room, because it waits for the real grace, so that one mode must do.
  test('[W1] an absent participant is never matched', async () => {
    const experimentId = await lobby.open(endless({ matching: { groupSize: 3 } }))
    const ghost = await lobby.join(experimentId)
    const socket = ghost.wait(0)
    await socket.status()
    const bob = await lobby.come(experimentId)
    await bob.socket.status(({ waiting }) => waiting === 2)
    socket.close()
    // From now on they count as absent.
    await bob.socket.status(({ waiting, position }) => waiting === 1 && position === 1)
    const others = [await lobby.come(experimentId), await lobby.come(experimentId)]
    await lobby.together([bob, ...others])
    expect(await ghost.wait(1).status()).toMatchObject({ waiting: 1, position: 1 })
  })
})
