import type { Stage, WrittenDefinition } from '@atrium/contract'
import { describeInBothModes, openRoomSocket } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { lobbyIn } from '../waiting/lobby.ts'

const alone: Stage = {
  id: 'alone',
  states: [
    {
      id: 'opinion',
      components: [{ id: 'side', type: 'dropdown', required: true, ...{ options: ['for', 'against'] } }],
      end: { on: 'all_responded' },
      onEnd: { opinion: 'response.side' },
    },
  ],
}

const talk = (more: Partial<Stage> = {}): Stage => ({
  id: 'talk',
  matching: { groupSize: 2, deadlineMs: 600_000, onDeadline: 'end_paid' },
  states: [{ id: 'chat', components: [{ id: 'words', type: 'chat' }] }],
  ...more,
})

const last: Stage = {
  id: 'last',
  states: [{ id: 'again', instructions: 'Before, you were {{opinion}}.', components: [] }],
}

const study = (...stages: Stage[]): WrittenDefinition => ({
  name: 'Deliberation',
  variables: { opinion: { scope: 'participant', initial: null } },
  stages,
})

describeInBothModes(
  'A study in stages',
  (world) => {
    const lobby = lobbyIn(world)

    /** Joins and answers alone, until they wait for the others. */
    async function answerAlone(experimentId: string, side: string) {
      const person = await lobby.join(experimentId)
      const room = await openRoomSocket(world().front().http, person)
      expect(await room.act('submit_response', { componentId: 'side', value: side })).toMatchObject({
        ok: true,
      })
      expect(await room.event('stage_finished')).toMatchObject({ stage: 'alone', next: 'talk' })
      room.close()
      return { ...person, first: person.roomId, socket: person.wait() }
    }

    const enter = async (person: { sessionId: string; sessionToken: string }, roomId: string) =>
      await openRoomSocket(world().front().http, { ...person, roomId })

    test('[R68,RM270] people answer alone, meet in a group, and go on alone; what they said first goes with them', async () => {
      const experimentId = await lobby.open(study(alone, talk(), last))
      const ann = await answerAlone(experimentId, 'for')
      const bob = await answerAlone(experimentId, 'against')
      const group = await lobby.together([ann, bob])
      expect(group).not.toBe(ann.first)
      const rooms = [await enter(ann, group), await enter(bob, group)]
      for (const [at, room] of rooms.entries()) {
        expect(room.snapshot().self.variables).toMatchObject({ opinion: ['for', 'against'][at] })
        expect(await room.act('ready')).toMatchObject({ ok: true })
      }
      for (const room of rooms) await room.event('stage_finished')
      const { roomId } = await ann.wait().assigned()
      const room = await enter(ann, roomId)
      expect(room.snapshot().state?.instructions).toBe('Before, you were for.')
      await room.act('ready')
      expect((await room.event('finished')).outcome).toBe('SUCCESS')
    })
  },
  { router: true },
)
