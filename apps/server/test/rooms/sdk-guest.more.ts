import { ApiRefused, asGuest, createParticipant, type GuestOptions, takePart } from '@atrium/client'
import type { ExperimentDefinition } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  describeInOneMode,
  openRoomSocket,
  smallestDefinition,
  waitUntil,
} from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'

const together: ExperimentDefinition = {
  name: 'Two guests',
  states: [
    { id: 'ask', components: [{ id: 'rate', type: 'slider' }], end: { on: 'all_responded' } },
    { id: 'bye', components: [] },
  ],
  matching: { groupSize: 2 },
  completion: { codes: { SUCCESS: 'TWO' }, redirectUrl: 'https://site.example/?id={{metadata.externalId}}' },
}

describeInOneMode(
  'Guests with the SDK in Node',
  (world) => {
    const address = () => world().front().http
    const researcher = () => createResearcher(createApi(address))

    function person(options: Omit<GuestOptions, 'baseUrl'>) {
      const getIdToken = asGuest({ baseUrl: address(), ...options })
      const participant = createParticipant({ baseUrl: address(), getIdToken })
      onTestFinished(() => participant.close())
      return participant
    }

    it('[R51,R13] two guests wait for each other, respond over sockets, and get their codes', async () => {
      const { openExperiment, exported } = await researcher()
      const experimentId = await openExperiment(together)
      const ids = ['p-1', 'p-2']
      const guests = ids.map((externalId) => person({ experimentId, externalId }))
      const rooms = await Promise.all(
        guests.map(async (guest) => {
          await guest.join(experimentId)
          return await takePart(guest)
        }),
      )
      for (const room of rooms) await room.submitResponse('rate', 50)
      for (const room of rooms) {
        await waitUntil(() => room.view?.state?.id === 'bye' || 'the room has not moved on')
        await room.ready()
      }
      for (const [at, guest] of guests.entries()) {
        await waitUntil(() => rooms[at]?.view?.self.outcome === 'SUCCESS' || 'not finished')
        expect(await guest.complete({ completionCode: 'SUCCESS' })).toMatchObject({
          completionCode: 'TWO',
          redirectUrl: `https://site.example/?id=${ids[at]}`,
        })
        rooms[at]?.close()
        expect(await guest.history()).toMatchObject([{ completionCode: 'TWO' }])
      }
      const answers = (await exported(experimentId)).filter(({ type }) => type === 'component_response')
      expect(new Set(answers.map(({ participantId }) => participantId)).size).toBe(2)
    })

    it('[R51] a guest whose storage keeps the secret stays the same person; without storage they are new each time', async () => {
      const experimentId = await (await researcher()).openExperiment()
      let kept: string | null = null
      const memory = {
        recall: () => kept,
        keep(secret: string) {
          kept = secret
        },
      }
      const first = await person({ experimentId, memory }).join(experimentId)
      // A preview: the site has not filled in its placeholder.
      const preview = person({ experimentId, memory, externalId: '{{%PROLIFIC_PID%}}' })
      expect((await preview.join(experimentId)).participantId).toBe(first.participantId)
      expect((await person({ experimentId }).join(experimentId)).participantId).not.toBe(first.participantId)
      kept = `gst_${'A'.repeat(86)}`
      const anew = await person({ experimentId, memory }).join(experimentId)
      expect(anew.participantId).not.toBe(first.participantId)
      expect(kept).not.toContain('AAAAAAAA')

      const broken = () => {
        throw new Error('storage is forbidden')
      }
      const forgetful = person({ experimentId, memory: { recall: broken, keep: broken } })
      const { participantId } = await forgetful.join(experimentId)
      expect((await forgetful.join(experimentId)).participantId).toBe(participantId)
    })

    it('[R51] an experiment for signed-in people refuses guests and says why', async () => {
      const experimentId = await (await researcher()).openExperiment(
        smallestDefinition({ access: 'signed_in' }),
      )
      const refusal = await person({ experimentId })
        .join(experimentId)
        .catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(ApiRefused)
      expect(refusal).toMatchObject({ code: 'FORBIDDEN', status: 403, details: { reason: 'signed_in' } })
    })

    it('[R13] a socket without the user agent of the join is refused; the SDK sends one, even if there is a `document`', async () => {
      const api = createApi(address)
      const experimentId = await (await createResearcher(api)).openExperiment()
      const { join } = await createPerson(api)
      await expect(openRoomSocket(address(), await join(experimentId), '')).rejects.toMatchObject({
        code: 'SESSION_INVALID',
      })
      // As in tests of pages.
      Object.assign(globalThis, { document: {} })
      onTestFinished(() => void Reflect.deleteProperty(globalThis, 'document'))
      const getIdToken = () => api.token('beside-a-document')
      for (const more of [{}, { userAgent: 'my-bot/1.0' }]) {
        const participant = createParticipant({ baseUrl: address(), getIdToken, ...more })
        await participant.join(experimentId)
        const room = await takePart(participant)
        await waitUntil(
          () => room.view?.roomId !== undefined || `no snapshot: ${JSON.stringify(room.status)}`,
        )
        room.close()
        await participant.close()
      }
    })
  },
  { router: true },
)
