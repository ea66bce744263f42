import { randomUUID } from 'node:crypto'
import { participantRoutes, privacyRoutes, type WrittenDefinition } from '@atrium/contract'
import { codeOf, describeInBothModes, openRoomSocket, succeeded, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { acknowledged } from '../rooms/table.ts'
import { lobbyIn } from '../waiting/lobby.ts'
import { tracesOf } from './traces.ts'

/** What they say alone goes with them; three talk, and two decide. */
const study: WrittenDefinition = {
  name: 'Alone, together, and in pairs',
  withdrawal: 'all',
  pacing: 'participant',
  variables: { opinion: { scope: 'participant', initial: '' }, topic: '' },
  stages: [
    {
      id: 'alone',
      states: [
        {
          id: 'think',
          components: [{ id: 'words', type: 'text_input', required: true, saveTo: 'opinion' }],
          end: { on: 'all_responded' },
        },
      ],
    },
    {
      id: 'talk',
      matching: { groupSize: 3 },
      dropout: { policy: 'continue' },
      states: [
        {
          id: 'chat',
          components: [
            { id: 'chat', type: 'chat' },
            { id: 'topic', type: 'text_input', required: false, saveTo: 'topic' },
          ],
        },
      ],
    },
    {
      id: 'decide',
      matching: { groupSize: 2 },
      states: [{ id: 'vote', components: [] }],
    },
  ],
}

describeInBothModes(
  'Somebody who withdraws between two stages',
  (world) => {
    const lobby = lobbyIn(world)
    const enter = async (person: { sessionId: string; sessionToken: string }, roomId: string) =>
      await openRoomSocket(world().front().http, { ...person, roomId })

    async function thinkAlone(experimentId: string) {
      const person = await lobby.join(experimentId)
      const opinion = `opinion ${randomUUID()}`
      const room = await enter(person, person.roomId)
      expect(await room.act('submit_response', { componentId: 'words', value: opinion })).toMatchObject({
        ok: true,
      })
      await room.event('stage_finished')
      room.close()
      return { ...person, opinion, alone: person.roomId, socket: person.wait() }
    }

    test('[RM271,PR3,PR5] is in none of the rooms they have been in, and the others go on to the next stage', async () => {
      const experimentId = await lobby.open(study)
      const people = [
        await thinkAlone(experimentId),
        await thinkAlone(experimentId),
        await thinkAlone(experimentId),
      ] as const
      const [gone, ...others] = people
      const talk = await lobby.together([...people])
      const theirs = await enter(gone, talk)
      const rooms = [await enter(others[0], talk), await enter(others[1], talk)]
      const [said, topic, reply] = ['said', 'topic', 'reply'].map((kind) => `${kind} ${randomUUID()}`)
      for (const [name, action] of [
        ['send_message', { componentId: 'chat', text: said }],
        ['submit_response', { componentId: 'topic', value: topic }],
      ] as const)
        expect(await theirs.act(name, action)).toMatchObject({ ok: true })
      expect(await rooms[0]?.act('send_message', { componentId: 'chat', text: reply })).toMatchObject({
        ok: true,
      })
      expect(await theirs.act('ready')).toMatchObject({ ok: true })
      await theirs.event('stage_finished')
      theirs.close()
      const waiting = gone.wait()
      await waitUntil(() => waiting.received.waiting_status.length > 0 || 'they do not wait yet')

      const known = await lobby.api.call(privacyRoutes.export, {
        token: (await lobby.researcher()).token,
        params: { experimentId, participantId: gone.participantId },
      })
      const { formerRooms, roomActions } = JSON.parse(known.text)
      expect(formerRooms.map(({ roomId }: { roomId: string }) => roomId)).toEqual([gone.alone, talk])
      for (const words of [gone.opinion, said, topic]) expect(JSON.stringify(roomActions)).toContain(words)

      expect(succeeded(await lobby.api.call(participantRoutes.withdrawV4, { session: gone })).data).toEqual({
        deleted: 'all',
      })
      await waitUntil(async () => {
        const traces = await tracesOf(world(), gone.participantId)
        return traces.length === 0 || traces.join()
      })
      for (const planted of [gone.opinion, said, topic, gone.alone, gone.sessionId])
        expect(await tracesOf(world(), planted ?? '')).toEqual([])
      expect(codeOf(await lobby.api.call(participantRoutes.discoverV4, { session: gone }))).toBe(
        'SESSION_INVALID',
      )

      for (const room of rooms) room.close()
      const again = [await enter(others[0], talk), await enter(others[1], talk)]
      for (const [at, room] of again.entries()) {
        const { messages, self, variables } = room.snapshot()
        expect(messages.map(({ text }) => text)).toEqual([reply])
        expect(variables).toMatchObject({ topic: '' })
        expect(self.variables).toMatchObject({ opinion: others[at]?.opinion })
        await acknowledged(room.act('ready'))
        await room.event('stage_finished')
        room.close()
      }
      const pairs = others.map((person) => ({ ...person, socket: person.wait() }))
      const last = await lobby.together(pairs)
      const deciding = await enter(others[0], last)
      expect(deciding.snapshot().self.variables).toMatchObject({ opinion: others[0].opinion })
      deciding.close()
      const exported = await lobby.exported(experimentId)
      expect(new Set(exported.map(({ participantId }) => participantId))).toEqual(
        new Set(others.map(({ participantId }) => participantId)),
      )
    })
  },
  { router: true },
)
