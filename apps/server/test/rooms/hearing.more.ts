import { type ExperimentDefinition, roomRoutes } from '@atrium/contract'
import { codeOf, describeInOneMode, type RoomSocket } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { acknowledged, tableIn } from './table.ts'

const atOwnPace: ExperimentDefinition = {
  name: 'At one’s own pace',
  pacing: 'participant',
  states: [
    { id: 'read', components: [] },
    { id: 'talk', components: [{ id: 'chat', type: 'chat' }] },
    { id: 'after', components: [] },
  ],
  matching: { groupSize: 3 },
}

const saidTo = (socket: RoomSocket): string[] =>
  socket.events.flatMap((event) =>
    event.type === 'message' ? [event.message.text] : event.type === 'announcement' ? [event.text] : [],
  )

describeInOneMode(
  'What reaches a socket',
  (world) => {
    const table = tableIn(world)

    async function three() {
      const experimentId = await table.open(atOwnPace)
      const { roomId, sessions } = await table.seat(experimentId, 3)
      const [p1, p2, p3] = sessions
      if (!p1 || !p2 || !p3) throw new Error('expected three sockets')
      const sockets = {
        p1: await table.connect(p1),
        p2: await table.connect(p2),
        p3: await table.connect(p3),
      }
      const { token } = await table.researcher()
      const announce = (text: string, participantId?: string) =>
        table.api.call(roomRoutes.message, {
          token,
          params: { roomId },
          body: { text, ...(participantId === undefined ? {} : { participantId }) },
        })
      return { ...sockets, sessions: { p1, p2, p3 }, announce }
    }

    it('[RM93] a chat reaches those who see it now, wherever the sender is', async () => {
      const { p1, p2, p3, sessions } = await three()
      await acknowledged(p1.act('ready'))
      await acknowledged(p2.act('ready'))
      await acknowledged(p1.act('send_message', { text: 'you and me' }))
      await p2.event('message')
      await acknowledged(p3.act('ready'))
      await acknowledged(p1.act('send_message', { text: 'all of us' }))
      for (const socket of [p2, p3])
        await socket.event('message', ({ message }) => message.text === 'all of us')
      expect([saidTo(p2), saidTo(p3)]).toEqual([['you and me', 'all of us'], ['all of us']])
      p3.close()
      const back = await table.connect(sessions.p3)
      expect(back.snapshot().messages.map(({ text }) => text)).toEqual(['all of us'])
      for (const socket of [p1, p2, back]) socket.close()
    })

    it('[RM34,RM53,RM95] participants who have left receive nothing more, announcements included', async () => {
      const { p1, p2, p3, sessions, announce } = await three()
      await acknowledged(p3.act('leave'))
      await p3.event('finished')
      const heardBefore = p3.events.length
      for (const socket of [p1, p2]) await acknowledged(socket.act('ready'))
      await acknowledged(p1.act('send_message', { text: 'are you still there?' }))
      expect((await announce('to all')).status).toBe(200)
      const refused = await announce('to you', sessions.p3.participantId)
      expect([refused.status, codeOf(refused)]).toEqual([409, 'ACTION_REFUSED'])
      await p2.event('announcement')
      expect(saidTo(p2)).toEqual(['are you still there?', 'to all'])
      const back = await table.connect(sessions.p3)
      expect(back.snapshot().messages).toEqual([])
      expect(p3.events.slice(heardBefore)).toEqual([])
      // Nor by coming back: what they are sent now would arrive before the answer to what they do.
      await acknowledged(p1.act('send_message', { text: 'they are gone' }))
      expect((await announce('once more')).status).toBe(200)
      await acknowledged(p2.act('ready'))
      expect((await back.act('ready')).ok).toBe(false)
      expect(back.events).toEqual([])
      expect(back.snapshot()).toMatchObject({ others: [], variables: {}, progress: { done: 0, of: 3 } })
      for (const socket of [p1, p2, back]) socket.close()
    })
  },
  { mode: 'cluster' },
)
