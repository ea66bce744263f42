import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blankPerson } from '../model/forget-person.ts'
import { addWordsOf, wordsOf } from '../model/forget-words.ts'
import { snapshotFor } from '../model/view.ts'
import type { ReplayableAction, RoomRecord } from '../rooms.store.ts'
import { heardOf } from '../test/hearing.ts'
import { component, group, playRoom, state } from '../test/played-room.ts'
import { newRoom, type Played, play, scenario } from '../test/random-room.ts'
import { recordWithout } from './record-without.ts'
import { beginRecording, checkpointBefore, clampedTo, record, stateAt } from './recording.ts'

const throughJson = <Thing>(thing: Thing): Thing => JSON.parse(JSON.stringify(thing))

type Steps = readonly Pick<Played['steps'][number], 'at' | 'action'>[]

const logOf = (steps: Steps): ReplayableAction[] =>
  steps.map(({ at, action }, index) => ({
    seq: index + 1,
    at,
    action: JSON.stringify(action),
    replay: null,
  }))

function recordingOf({ steps, blueprint }: Pick<Played, 'blueprint'> & { steps: Steps }) {
  const log = logOf(steps)
  const recording = beginRecording({ number: 0, at: 0, state: newRoom(blueprint) })
  for (const logged of log) record(recording, logged, blueprint)
  const at = (number: number) => {
    const from = checkpointBefore(recording, clampedTo(recording, number))
    return stateAt(from, log, number, blueprint)
  }
  return { recording, at }
}

test('[RM140] after each action a room is what it was then, for each of its participants', () => {
  fc.assert(
    fc.property(scenario, (given) => {
      const played = play(given)
      const { steps, blueprint, room } = played
      const { recording, at } = recordingOf(played)
      expect(throughJson(recording.last.state)).toEqual(throughJson(room))
      for (const [index, step] of steps.entries()) {
        const replayed = at(index + 1)
        expect(throughJson(replayed.state)).toEqual(throughJson(step.room))
        for (const { participantId } of step.room.seats)
          expect(snapshotFor(replayed.state, blueprint, participantId, replayed.at)).toEqual(
            snapshotFor(step.room, blueprint, participantId, step.at),
          )
      }
    }),
    { numRuns: 40 },
  )
})

test('[RM141] what is recorded without somebody is the room after each action, with a blank seat', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { steps, blueprint } = play(given)
      const log = logOf(steps)
      const [first] = steps.at(-1)?.room.seats ?? []
      if (!first) return
      const person = { participantId: first.participantId, erasedId: 'erased_1' }
      const store = { actionsAfter: async (_: string, seq: number) => log.slice(seq, seq + 100) }
      const begun = newRoom(blueprint)
      const recording = recordWithout(store, begun.roomId, person)
      await recording.extend(begun as unknown as RoomRecord, blueprint)
      const rows = recording.rows() ?? []
      expect(rows).toHaveLength(log.length)
      const replayed = beginRecording({ number: 0, at: 0, state: begun })
      const words = wordsOf(person)
      for (const [index, { action, room }] of steps.entries()) {
        const { seq, replay } = rows[index] ?? { seq: 0, replay: null }
        record(replayed, { seq, at: 0, action: '{"type":"erased"}', replay }, blueprint)
        addWordsOf(words, action, blueprint.definition)
        expect(replayed.last.state).toEqual(throughJson(blankPerson(room, person, blueprint, words)))
      }
      expect(JSON.stringify([rows, replayed.moments])).not.toContain(JSON.stringify(first.participantId))
    }),
    { numRuns: 20 },
  )
})

test('[RM140] what a participant was sent last about their state is what the replay shows', () => {
  let compared = 0
  fc.assert(
    fc.property(scenario, (given) => {
      const played = play(given)
      const { steps, blueprint } = played
      const { at } = recordingOf(played)
      for (const [index, { room, emitted }] of steps.entries())
        for (const { participantId } of room.seats) {
          const before = steps[index - 1]?.room ?? newRoom(blueprint)
          const sent = heardOf(emitted, { before, after: room }, participantId).findLast(
            ({ type }) => type === 'state_entered' || type === 'texts',
          )
          const replayed = at(index + 1)
          const shown = snapshotFor(replayed.state, blueprint, participantId, replayed.at)
          if (!sent || !('state' in sent) || shown.state === null) continue
          compared++
          expect(shown.state).toEqual(sent.state)
          expect(shown.globalComponents).toEqual(sent.globalComponents)
        }
    }),
    { numRuns: 40 },
  )
  expect(compared).toBeGreaterThan(0)
})

test('[RM140] moments say who did what, and in which round', () => {
  const room = playRoom(
    group(
      [
        state('give', {
          name: 'Contribute',
          components: [component('much', 'slider'), component('talk', 'chat')],
          end: { on: 'all_responded' },
        }),
        state('bye'),
      ],
      { blocks: [{ id: 'game', states: ['give'], rounds: 2 }] },
    ),
  )
  room.say('p2', 'all of it?')
  room.respond('p1', 'much', 7)
  room.respond('p2', 'much', 3)
  room.dispatch({ type: 'end', by: 'someone@lab', reason: 'power cut' })
  const { recording } = recordingOf(room)
  expect(recording.moments.map(({ kind, alias, detail }) => [kind, alias, detail])).toEqual([
    ['opened', null, null],
    ['connected', 'P1', null],
    ['connected', 'P2', null],
    ['send_message', 'P2', 'all of it?'],
    ['submit_response', 'P1', '7'],
    ['submit_response', 'P2', '3'],
    ['end', null, 'power cut'],
  ])
  const [opened, , , , , second, last] = recording.moments
  expect(opened).toMatchObject({
    entered: true,
    state: { id: 'give', name: 'Contribute', round: 1, rounds: 2 },
  })
  expect(second).toMatchObject({ entered: true, componentId: 'much', state: { round: 2 } })
  expect(last).toMatchObject({ ended: true, state: null })
  // Researchers who share a study see what happened, not who else was at work.
  expect(JSON.stringify(recording.moments)).not.toContain('someone@lab')
})

test('a moment of a long room is reached from the nearest checkpoint', () => {
  const room = playRoom(group([state('talk', { components: [component('chat', 'chat')] })]))
  for (let count = 0; count < 320; count++) room.say('p1', `message ${count}`)
  const { recording, at } = recordingOf(room)
  expect(recording.checkpoints.map(({ number }) => number)).toEqual([0, 100, 200, 300])
  for (const number of [1, 99, 100, 101, 250, 323])
    expect(throughJson(at(number).state)).toEqual({
      ...throughJson(room.steps[number - 1]?.after),
      experimentId: 'e',
    })
  expect([clampedTo(recording, -1), clampedTo(recording, 9_999)]).toEqual([0, 323])
})
