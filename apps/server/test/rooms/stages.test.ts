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

    test('[R68,RM270,S64,W26] people answer alone, meet in a group, and go on alone; what they said first goes with them', async () => {
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

    test('[R68,W26] whoever finds nobody in time goes to the stage that `onDeadline` names, or ends with its outcome', async () => {
      const impatient = { groupSize: 2, deadlineMs: 300 }
      const solo = { ...last, when: 'false', id: 'solo', states: [{ id: 'apart', components: [] }] }
      const experimentId = await lobby.open(
        study(alone, talk({ matching: { ...impatient, onDeadline: { to: 'solo' } } }), last, solo),
      )
      const ann = await answerAlone(experimentId, 'for')
      const room = await enter(ann, (await ann.socket.assigned()).roomId)
      expect(room.snapshot()).toMatchObject({
        state: { id: 'apart' },
        self: { variables: { opinion: 'for' } },
      })
      await room.act('ready')
      expect((await room.event('finished')).outcome).toBe('SUCCESS')

      const ending = await lobby.open(
        study(alone, talk({ matching: { ...impatient, onDeadline: { to: 'end', outcome: 'ALONE' } } }), last),
      )
      const bob = await answerAlone(ending, 'against')
      expect(await bob.socket.ended()).toMatchObject({ reason: 'deadline' })
      expect(await lobby.complete(bob, 'SUCCESS')).toMatchObject({ outcome: 'ALONE' })
    })

    test('[R68,RM270] a stage with a condition is passed by where it is not met', async () => {
      const experimentId = await lobby.open(
        study(alone, { ...talk({ matching: { groupSize: 1 } }), when: "opinion == 'for'" }, last),
      )
      const room = await openRoomSocket(world().front().http, await lobby.join(experimentId))
      await room.act('submit_response', { componentId: 'side', value: 'against' })
      expect(await room.event('stage_finished')).toMatchObject({ stage: 'alone', next: 'last' })
    })

    test('[R68] between stages nobody completes with what only the end gives', async () => {
      const experimentId = await lobby.open(study(alone, talk(), last))
      const ann = await answerAlone(experimentId, 'for')
      await expect(lobby.complete(ann, 'SUCCESS')).rejects.toThrow('NOT_FINISHED')
    })

    test('[R68,R54] every exported row says in which stage and room it was recorded', async () => {
      const experimentId = await lobby.open(study(alone, talk(), last))
      const people = [await answerAlone(experimentId, 'for'), await answerAlone(experimentId, 'against')]
      const group = await lobby.together(people)
      for (const person of people) await enter(person, group)
      const lines = await (await lobby.researcher()).exported(experimentId)
      const [ann] = people
      const own = lines.filter(({ participantId }) => participantId === ann?.participantId)
      const places = new Set(own.map(({ stage, roomId }) => `${stage} ${roomId}`))
      expect([...places]).toEqual([`alone ${ann?.first}`, `talk ${group}`])
    })
  },
  { router: true },
)
