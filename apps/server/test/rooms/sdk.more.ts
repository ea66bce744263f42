import { connectRoom, createParticipant } from '@atrium/client'
import { createApi, createPerson, createResearcher, describeInBothModes, waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'

const study = {
  name: 'With the SDK',
  states: [
    { id: 'ask', components: [{ id: 'rate', type: 'slider' }], end: { on: 'all_responded' as const } },
    { id: 'bye', components: [] },
  ],
  completion: { codes: { SUCCESS: 'CODE' }, requireAllEvents: true },
}

describeInBothModes(
  'The SDK and a real server',
  (world) => {
    it('[R18,R20,R26] a whole participation with a kill -9 in the middle: nothing lost, nothing duplicated, one code', async () => {
      const [server] = world().servers
      if (!server) throw new Error('this world has no server')
      const api = createApi(() => world().front().http)
      const researcher = await createResearcher(api)
      const experimentId = await researcher.openExperiment(study)
      const { token } = await createPerson(api)
      const participant = createParticipant({
        baseUrl: world().front().http,
        getIdToken: () => token,
      })
      await participant.join(experimentId)
      const room = connectRoom(participant, {})
      await waitUntil(() => room.view?.state?.id === 'ask' || 'no snapshot yet')
      for (let number = 1; number <= 20; number++)
        await participant.record({ type: 'tick', data: { number } })
      const killed = server.kill()
      for (let number = 21; number <= 40; number++)
        await participant.record({ type: 'tick', data: { number } })
      const answered = room.submitResponse('rate', 60)
      await killed
      await server.restart()
      await answered
      await waitUntil(() => room.view?.state?.id === 'bye' || 'the room has not moved on')
      await room.ready()
      await waitUntil(() => room.view?.self.outcome === 'SUCCESS' || 'not finished')
      expect(await participant.complete({ completionCode: 'SUCCESS' })).toMatchObject({
        completionCode: 'CODE',
      })

      const lines = await researcher.exported(experimentId)
      const ticks = lines.filter(({ type }) => type === 'tick').map(({ data }) => data.number)
      expect(ticks).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
      expect(lines.filter(({ type }) => type === 'component_response')).toHaveLength(1)
      room.close()
      await participant.close()
    })
  },
  { router: true },
)
