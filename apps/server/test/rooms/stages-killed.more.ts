import type { Stage, WrittenDefinition } from '@atrium/contract'
import { describeInBothModes } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { lobbyIn } from '../waiting/lobby.ts'
import { readRows } from './rows.ts'
import { acknowledged } from './table.ts'

const stage = (id: string, groupSize: number, more: Partial<Stage> = {}): Stage => ({
  id,
  matching: { groupSize },
  states: [{ id: `play-${id}`, components: [] }],
  ...more,
})

const study: WrittenDefinition = {
  name: 'Three stages',
  variables: { played: { scope: 'participant', initial: 0 } },
  stages: [
    stage('alone', 1, { states: [{ id: 'think', components: [], onEnd: { played: 'played + 1' } }] }),
    stage('talk', 2, {
      states: [{ id: 'chat', components: [{ id: 'chat', type: 'chat' }], onEnd: { played: 'played + 1' } }],
    }),
    stage('decide', 2),
  ],
}

describeInBothModes(
  'A server killed in a study of several stages',
  (world) => {
    const lobby = lobbyIn(world)
    type Person = Awaited<ReturnType<typeof lobby.join>>

    async function killed(): Promise<void> {
      await lobby.server().kill()
      await lobby.server().restart()
    }

    async function enter(person: Person, roomId: string) {
      const room = await lobby.connect({ ...person, roomId })
      onTestFinished(() => room.close())
      return room
    }

    const enterAll = async (people: readonly Person[], roomId: string) =>
      await Promise.all(people.map((person) => enter(person, roomId)))

    const together = async (people: readonly Person[]): Promise<string> =>
      await lobby.together(people.map((person) => ({ socket: person.wait() })))

    /** Ends their part in the stage that they are in, unless that was stored before the server was killed. */
    async function finish(person: Person): Promise<Person> {
      const session = await person.joinAgain()
      const again = { ...person, ...session, wait: () => person.wait(undefined, session) }
      if (session.roomId.startsWith('waiting_')) return again
      const room = await enter(again, session.roomId)
      const isDone = room.snapshot().self.ready
      if (!isDone) await acknowledged(room.act('ready'))
      room.close()
      return again
    }

    const staysOf = async (experimentId: string) =>
      await readRows(
        world(),
        `select p.participant_id, p.stay, p.stage, p.room_id,
          (select count(*) from former_stays f where f.participant_id = p.participant_id) as former,
          (select count(distinct f.room_id) from former_stays f
            where f.participant_id = p.participant_id and f.room_id <> coalesce(p.room_id, '')) as others
        from participants p where p.experiment_id = '${experimentId}'`,
      )

    test('[RM274] loses nothing: everybody gets the room of the next stage, and nobody is in two', async () => {
      const experimentId = await lobby.open(study)
      const [ann, bob] = [await lobby.join(experimentId), await lobby.join(experimentId)]
      let pair = [ann, bob]
      // While a stage ends: whether it has ended for them is what the store says.
      for (const person of pair) {
        const room = await enter(person, person.roomId)
        room.act('ready').catch(() => undefined)
      }
      await killed()
      pair = [await finish(ann), await finish(bob)]
      // While the next room is made.
      for (const person of pair) person.wait()
      await killed()
      const talk = await together(pair)

      // In the middle of the second stage, whose room is taken over.
      const before = await enterAll(pair, talk)
      await acknowledged(
        before[0]?.act('send_message', { componentId: 'chat', text: 'hello' }) ?? expect.fail(),
      )
      await killed()
      for (const person of pair) {
        const room = await enter(person, talk)
        const { self, messages } = room.snapshot()
        expect(self.variables).toMatchObject({ played: 1 })
        expect(messages.map(({ text }) => text)).toEqual(['hello'])
        room.close()
      }
      const ending = await enterAll(pair, talk)
      for (const room of ending) await acknowledged(room.act('ready'))
      await killed()
      pair = [await finish(ann), await finish(bob)]

      const last = await together(pair)
      for (const person of pair)
        expect((await enter(person, last)).snapshot().self.variables).toMatchObject({ played: 2 })
      const rooms = (await staysOf(experimentId)).map(({ stay, stage, room_id, former, others }) => [
        ...[Number(stay), stage, room_id, Number(former), Number(others)],
      ])
      expect(rooms).toEqual([
        [2, 'decide', last, 2, 2],
        [2, 'decide', last, 2, 2],
      ])
      const ended = (await lobby.exported(experimentId)).filter(({ type }) => type === 'stage_finished')
      expect(ended.map(({ data }) => data.stage).toSorted()).toEqual(['alone', 'alone', 'talk', 'talk'])
    })
  },
  { servers: 1 },
)
