import { participantRoutes, type WrittenDefinition } from '@atrium/contract'
import { codeOf, createApi, describeInBothModes, openRoomSocket, succeeded, waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { lobbyIn } from '../waiting/lobby.ts'

const study: WrittenDefinition = {
  name: 'Alone and together',
  consent: {},
  variables: { side: { scope: 'participant', initial: null } },
  stages: [
    { id: 'alone', states: [{ id: 'think', components: [], onEnd: { side: '"for"' } }] },
    {
      id: 'talk',
      matching: { groupSize: 2 },
      dropout: { policy: 'continue' },
      states: [{ id: 'chat', components: [{ id: 'chat', type: 'chat' }] }],
    },
  ],
}

describeInBothModes(
  'Between two stages',
  (world) => {
    const lobby = lobbyIn(world)
    const anyApi = createApi(() => world().any().http)
    type Person = Pick<Awaited<ReturnType<typeof lobby.join>>, 'sessionId' | 'sessionToken'>
    const answer = async (session: Person, type: 'consent_given' | 'consent_declined') =>
      succeeded(
        await anyApi.call(participantRoutes.eventsV4, {
          session,
          body: { events: [{ type, timestamp: Date.now(), data: {} }] },
        }),
      )
    const complete = async (session: Person, completionCode: string) =>
      await anyApi.call(participantRoutes.completeV4, { session, body: { completionCode } })
    const enter = async (person: Person, roomId: string) => {
      const room = await openRoomSocket(world().front().http, { ...person, roomId })
      onTestFinished(() => room.close())
      return room
    }

    /** Agrees, and finishes the first stage. */
    async function begin(experimentId: string) {
      const person = await lobby.join(experimentId)
      await answer(person, 'consent_given')
      const room = await enter(person, person.roomId)
      expect(await room.act('ready')).toMatchObject({ ok: true })
      await room.event('stage_finished')
      room.close()
      return person
    }

    async function comes(person: Awaited<ReturnType<typeof begin>>) {
      const socket = person.wait()
      await waitUntil(
        () => Object.values(socket.received).some(({ length }) => length > 0) || 'nothing was told',
      )
      return { ...person, socket }
    }

    test('[RM272,R52] nobody has reached the end yet, but everybody may stop, and the others are matched without them', async () => {
      const experimentId = await lobby.open(study)
      const [gone, ann, bob] = [
        await begin(experimentId),
        await begin(experimentId),
        await begin(experimentId),
      ]
      expect(codeOf(await complete(gone, 'SUCCESS'))).toBe('NOT_FINISHED')
      const waiting = await comes(gone)
      expect(succeeded(await complete(gone, 'ABANDONED')).data.outcome).toBe('ABANDONED')
      await waiting.socket.ended()
      expect(codeOf(await complete(gone, 'SUCCESS'))).not.toBe('NOT_FINISHED')
      const room = await lobby.together([await comes(ann), await comes(bob)])
      expect((await lobby.seats(room)).map(({ participantId }) => participantId).toSorted()).toEqual(
        [ann, bob].map(({ participantId }) => participantId).toSorted(),
      )
    })

    test('[RM272,R38] who withdraws is not matched, and goes on with what is theirs once they agree again', async () => {
      const experimentId = await lobby.open(study)
      const ann = await begin(experimentId)
      await comes(ann)
      await answer(ann, 'consent_declined')
      const bob = await comes(await begin(experimentId))
      await bob.socket.status(({ waiting }) => waiting === 1)
      await answer(ann, 'consent_given')
      const group = await lobby.together([await comes(ann), bob])
      const theirs = await enter(ann, group)
      expect(theirs.snapshot().self.variables).toMatchObject({ side: 'for' })
      // In a later stage, whoever withdraws is let go as in the first.
      const others = await enter(bob, group)
      await answer(ann, 'consent_declined')
      await waitUntil(
        async () =>
          (await lobby.seats(group)).some(({ outcome }) => outcome === 'NO_CONSENT') ||
          'they are not let go yet',
      )
      expect(await others.act('ready')).toMatchObject({ ok: true })
      expect((await others.event('finished')).outcome).toBe('SUCCESS')
      expect(succeeded(await complete(bob, 'SUCCESS')).data.outcome).toBe('SUCCESS')
    })

    test('[RM272] who comes back under another session waits on, and brings what is theirs', async () => {
      const experimentId = await lobby.open(study)
      const ann = await begin(experimentId)
      const former = await comes(ann)
      const again = await ann.joinAgain()
      expect(again.roomId).toMatch(/^waiting_/)
      const waiting = { ...ann, ...again, socket: ann.wait(undefined, again) }
      const bob = await comes(await begin(experimentId))
      const group = await lobby.together([waiting, bob])
      expect((await enter(again, group)).snapshot().self.variables).toMatchObject({ side: 'for' })
      former.socket.close()
    })
  },
  { router: true },
)
