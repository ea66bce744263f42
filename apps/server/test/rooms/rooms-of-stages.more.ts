import { liveRoutes, peopleRoutes, replayRoutes, roomRoutes, type WrittenDefinition } from '@atrium/contract'
import { describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { lobbyIn } from '../waiting/lobby.ts'
import { acknowledged } from './table.ts'

const study: WrittenDefinition = {
  name: 'Alone and together',
  pacing: 'participant',
  stages: [
    { id: 'alone', states: [{ id: 'think', components: [] }] },
    {
      id: 'talk',
      matching: { groupSize: 2 },
      states: [{ id: 'chat', name: 'The chat', components: [{ id: 'chat', type: 'chat' }] }],
    },
    { id: 'decide', matching: { groupSize: 2 }, states: [{ id: 'vote', components: [] }] },
  ],
}

describeInOneMode('The rooms of a study in stages', (world) => {
  const lobby = lobbyIn(world)
  const ask = async () => ({ token: (await lobby.researcher()).token })
  type Person = Awaited<ReturnType<typeof lobby.join>>
  const enter = async (person: Person, roomId: string) => {
    const room = await lobby.connect({ ...person, roomId })
    onTestFinished(() => room.close())
    return room
  }

  /** One has gone on, and waits for the third stage; the other is in the second. */
  async function played() {
    const experimentId = await lobby.open(study)
    const people = [await lobby.join(experimentId), await lobby.join(experimentId)] as const
    for (const person of people) {
      const room = await enter(person, person.roomId)
      await acknowledged(room.act('ready'))
      await room.event('stage_finished')
    }
    const talk = await lobby.together(people.map((person) => ({ socket: person.wait() })))
    const [first, second] = [await enter(people[0], talk), await enter(people[1], talk)]
    await acknowledged(first.act('send_message', { componentId: 'chat', text: 'hello' }))
    await acknowledged(first.act('ready'))
    await first.event('stage_finished')
    return { experimentId, gone: people[0], stays: people[1], talk, second }
  }

  test('[RM273,RM56,RM143] each says its stage, in the list, the report and the monitor, and counts whoever has gone on', async () => {
    const { experimentId, gone, talk } = await played()
    const { rooms } = succeeded(
      await lobby.api.call(roomRoutes.list, { ...(await ask()), params: { experimentId } }),
    )
    const listed = rooms.map(({ stage, participants, status }) => [stage, participants, status])
    expect(listed).toEqual([
      ['talk', 2, 'running'],
      ['alone', 1, 'ended'],
      ['alone', 1, 'ended'],
    ])
    expect(await lobby.report(talk)).toMatchObject({ stage: 'talk' })
    expect(await lobby.report(gone.roomId)).toMatchObject({ stage: 'alone' })
    const live = succeeded(
      await lobby.api.call(liveRoutes.read, { ...(await ask()), params: { experimentId } }),
    )
    expect(live.rooms).toMatchObject([
      { roomId: talk, seats: [{ status: 'finished' }, { status: 'active', state: 'The chat' }] },
    ])
  })

  test('[RM273,RM140] the replay of a later stage is played by its own states, also for whoever has gone on', async () => {
    const { gone, talk } = await played()
    const params = { roomId: talk }
    const { moments, seats } = succeeded(
      await lobby.api.call(replayRoutes.moments, { ...(await ask()), params, query: {} }),
    )
    expect(seats).toHaveLength(2)
    const at = async (number: number | undefined) =>
      succeeded(
        await lobby.api.call(replayRoutes.at, {
          ...(await ask()),
          params,
          query: { at: String(number), as: gone.participantId },
        }),
      )
    const said = await at(moments.find(({ kind }) => kind === 'send_message')?.number)
    expect(said.view).toMatchObject({ state: { id: 'chat' }, messages: [{ text: 'hello' }] })
    const last = await at(moments.at(-1)?.number)
    expect(last.view?.self).toMatchObject({ status: 'finished', nextStage: 'decide' })
    expect(last.room).toMatchObject({ stage: 'talk' })
  })

  test('[RM273,X54] whoever waits between two stages is listed without a room, and told from stage to stage', async () => {
    const { experimentId, gone, stays, talk } = await played()
    const { participants } = succeeded(
      await lobby.api.call(peopleRoutes.list, { ...(await ask()), params: { experimentId } }),
    )
    expect(participants.map(({ participantId, roomId }) => [participantId, roomId])).toEqual([
      [gone.participantId, null],
      [stays.participantId, talk],
    ])
    const { participantId } = gone
    const { steps } = succeeded(
      await lobby.api.call(peopleRoutes.timeline, {
        ...(await ask()),
        params: { experimentId, participantId },
      }),
    )
    expect(steps.filter(({ kind }) => kind === 'went_on').map(({ value }) => value)).toEqual([
      'alone',
      'talk',
    ])
    expect(steps.filter(({ kind }) => kind === 'matched' || kind === 'waited')).toHaveLength(2)
  })
})
