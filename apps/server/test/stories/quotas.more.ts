import { identityRoutes, participantRoutes, privacyRoutes } from '@atrium/contract'
import { describeInBothModes, numberedEvent, smallestDefinition, succeeded, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { refusalOf } from './refusal.ts'

const participantBytes = 262_144
const experimentBytes = 1_400_000

const env = {
  PARTICIPANT_QUOTA_BYTES: String(participantBytes),
  EXPERIMENT_QUOTA_BYTES: String(experimentBytes),
}

const talk = smallestDefinition({
  states: [{ id: 'talk', components: [{ id: 'rate', type: 'slider' }], end: { on: 'all_responded' } }],
  globalComponents: [{ id: 'chat', type: 'chat' }],
  matching: { groupSize: 2 },
})

describeInBothModes(
  'quotas in bytes',
  (world) => {
    const table = tableIn(world)
    const { api } = table
    const heavy = (number: number) => numberedEvent(number, { data: { value: 'x'.repeat(30_000) } })
    const send = (session: { sessionId: string }, number: number) =>
      api.call(participantRoutes.eventsV4, { session, body: { events: [heavy(number)] } })

    /** Sends until it is refused; the numbers of the events that were stored, and the refusal. */
    async function sendAll(session: { sessionId: string }, from = 0) {
      const stored: number[] = []
      // Fewer than the limit of requests, so that only a quota can refuse.
      for (let number = from; number < from + 60; number++) {
        const answer = await send(session, number)
        if (answer.status !== 200) return { stored, refusal: refusalOf(answer) }
        stored.push(number)
      }
      throw new Error('nothing was refused')
    }

    test('[E27] a session stores its quota and no more, also after joining again; what was stored stays, and completing works', async () => {
      const experimentId = await table.open(smallestDefinition())
      const person = await table.join(experimentId)
      const { stored, refusal } = await sendAll(person)
      expect(refusal).toMatchObject({
        status: 413,
        code: 'QUOTA_EXCEEDED',
        details: { scope: 'participant', limitBytes: participantBytes },
      })
      expect(stored).toHaveLength(8)
      // Another session of the same participant has no quota of its own, and v3 is the same participant.
      const again = await person.joinAgain()
      expect(refusalOf(await send(again, 90))).toMatchObject({ code: 'QUOTA_EXCEEDED' })
      const v3 = { token: person.token, body: { experimentId, events: [heavy(91)] } }
      expect(refusalOf(await api.call(participantRoutes.eventsV3, v3))).toMatchObject({
        code: 'QUOTA_EXCEEDED',
      })
      const small = numberedEvent(92)
      succeeded(await api.call(participantRoutes.eventsV4, { session: again, body: { events: [small] } }))
      expect((await table.complete(again, 'SUCCESS')).outcome).toBe('SUCCESS')
      const { exported } = await table.researcher()
      expect((await exported(experimentId)).map(({ timestamp }) => timestamp)).toEqual(
        [...stored, 92].map((number) => numberedEvent(number).timestamp),
      )
    })

    test('[E27,S46] a study has a quota over all of its people; then nobody new joins, people finish, and a deletion gives bytes back', async () => {
      const experimentId = await table.open(smallestDefinition())
      const people = await Promise.all(Array.from({ length: 6 }, () => table.join(experimentId)))
      for (const person of people) await sendAll(person)
      // The sum is a little old when it is compared, so somebody may still get in; the next one does not.
      const knock = async () => refusalOf(await joinAsGuest())
      await waitUntil(async () => (await knock()).code === 'QUOTA_EXCEEDED' || 'still admitted')
      expect(await knock()).toMatchObject({ status: 413, details: { scope: 'experiment' } })
      const [first] = people
      if (!first) throw new Error('nobody is there')
      const resumed = await first.joinAgain()
      expect((await table.complete(resumed, 'SUCCESS')).outcome).toBe('SUCCESS')
      const { token } = await table.researcher()
      for (const { participantId } of people.slice(0, 3)) {
        const params = { experimentId, participantId }
        succeeded(await api.call(privacyRoutes.erase, { token, params, query: { scope: 'all' } }))
      }
      await waitUntil(async () => (await joinAsGuest()).status === 200 || 'still refused')

      async function joinAsGuest() {
        const { idToken } = succeeded(await api.call(identityRoutes.guest, { body: { experimentId } }))
        return await api.call(participantRoutes.joinV4, { token: idToken, body: { experimentId } })
      }
    })

    test('[RM182] beyond the quota messages are refused, answers a quarter later, and leaving never', async () => {
      const { sessions } = await table.seat(await table.open(talk), 2)
      const [ann, ben] = sessions
      if (!ann || !ben) throw new Error('nobody has a seat')
      const [anns, bens] = [await table.connect(ann), await table.connect(ben)]
      await sendAll(ann)
      const text = 'y'.repeat(4_000)
      const codes = new Set<string>()
      await waitUntil(async () => {
        const answer = await anns.act('send_message', { text })
        if (!answer.ok) codes.add(answer.error.code)
        return codes.has('QUOTA_EXCEEDED') || 'still accepted'
      })
      // What she could not say has not happened, and the room goes on for him, and for her.
      await acknowledged(bens.act('send_message', { text: 'Hello' }))
      await acknowledged(anns.act('submit_response', { componentId: 'rate', value: 5 }))
      await acknowledged(anns.act('leave', {}))
      anns.close()
      bens.close()
    })
  },
  { env },
)
