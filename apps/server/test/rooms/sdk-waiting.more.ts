import { connectWaiting, createParticipant, takePart, WaitingClosed } from '@atrium/client'
import type { WaitingStatus } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  describeInBothModes,
  smallestDefinition,
  waitUntil,
} from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'

const pair = (deadlineMs: number) =>
  smallestDefinition({ matching: { groupSize: 2, deadlineMs, onDeadline: 'end_paid' } })

/** One server, because only the router brings people to the instance of their room. */
describeInBothModes(
  'The SDK in the waiting room',
  (world) => {
    const server = () => world().any()

    async function open(deadlineMs: number) {
      const api = createApi(() => server().http)
      const experimentId = await (await createResearcher(api)).openExperiment(pair(deadlineMs))
      const join = async () => {
        const { token } = await createPerson(api)
        const participant = createParticipant({ baseUrl: server().http, getIdToken: () => token })
        onTestFinished(() => participant.close())
        await participant.join(experimentId)
        return participant
      }
      return { join }
    }

    it('[R17,R25] keeps waiting across a server restart, is assigned a room, and enters it', async () => {
      const { join } = await open(600_000)
      const ann = await join()
      expect(ann.session?.roomId).toMatch(/^waiting_/)
      const statuses: WaitingStatus[] = []
      const waiting = connectWaiting(ann, { onStatus: (status) => statuses.push(status) })
      await waitUntil(() => statuses.length > 0 || 'not told anything yet')
      expect(statuses[0]).toMatchObject({ waiting: 1, needed: 1, position: 1 })
      await server().restart()
      const bob = await join()
      const bobsRoom = takePart(bob)
      const { roomId } = await waiting.assigned
      const rooms = [await takePart(ann), await bobsRoom]
      expect([ann.session?.roomId, bob.session?.roomId]).toEqual([roomId, roomId])
      for (const room of rooms) {
        await waitUntil(() => room.view?.roomId === roomId || 'no snapshot yet')
        room.close()
      }
    })

    it('[R25] an unsuccessful wait ends with a code, and completing returns the same one', async () => {
      const { join } = await open(1)
      const ann = await join()
      const failure = await connectWaiting(ann).assigned.catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(WaitingClosed)
      expect(failure).toMatchObject({ ended: { reason: 'deadline', completionCode: 'NOT_MATCHED' } })
      expect(ann.status.kind).toBe('completed')
      expect(await ann.complete({ completionCode: 'SUCCESS' })).toMatchObject({
        completionCode: 'NOT_MATCHED',
      })
    })

    it('[R25] a participant who leaves no longer waits', async () => {
      const { join } = await open(600_000)
      const waiting = connectWaiting(await join())
      await waiting.leave('hungry')
      await expect(waiting.assigned).rejects.toMatchObject({ ended: { reason: 'left' } })
    })
  },
  { servers: 1 },
)
