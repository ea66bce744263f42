import { expect, it } from 'vitest'
import { group, playRoom, slider, state } from '../test/played-room.ts'

const factors = { frame: ['gain', 'loss'] }
const ask = state('ask', {
  components: [{ ...slider, saveTo: 'age' }],
  end: { on: 'all_responded', afterMs: 60_000 },
  next: [{ to: 'late', when: "condition.frame == 'loss'" }],
})
const study = {
  states: [ask, state('gain'), state('late')],
  conditions: { factors, strata: ['age'] },
  variables: { age: { scope: 'participant', initial: null } },
}
const begun = { condition: null, rows: [{}] }

it('[RM207] somebody goes on once their condition is assigned, by what they have answered', () => {
  const room = playRoom(study, { assigned: begun })
  expect([room.room().condition, room.due()]).toEqual([null, expect.anything()])
  room.respond('p1', 'rate', 7)
  expect([room.at(), room.due()]).toEqual(['ask', room.now()])
  expect(room.respond('p1', 'rate', 8)).toBe('ACTION_REFUSED')
  room.dispatch({ type: 'assigned', participantId: 'p1', condition: 'loss' })
  expect([room.at(), room.room().seats[0]?.condition]).toEqual(['late', 'loss'])
  expect(room.recordsOf('p1', 'condition_assigned')).toMatchObject([
    { stateId: null, data: { condition: 'loss', factors: { frame: 'loss' } } },
  ])
  // The state that has ended was recorded once.
  expect(room.path()).toEqual(['ask', 'late'])
})

it('[RM207] as long as a value is missing, nothing is assigned', () => {
  const room = playRoom(study, { assigned: begun })
  room.pass(60_000)
  expect([room.at(), room.room().seats[0]?.condition]).toEqual(['gain', undefined])
})

it('[RM206] when every condition is full by then, they leave with QUOTA_FULL', () => {
  const room = playRoom(study, { assigned: begun })
  room.respond('p1', 'rate', 7)
  room.dispatch({ type: 'assigned', participantId: 'p1', condition: null })
  expect(room.outcomes()).toEqual(['QUOTA_FULL'])
  expect(room.room().status.kind).toBe('ended')
})

it('[RM207] where everyone moves together, they wait for each other’s conditions, and not for those who are gone', () => {
  const pair = group([{ ...ask, next: [] }, state('b')], {
    ...study,
    states: [{ ...ask, next: [] }, state('b')],
    conditions: { factors, strata: ['age'], per: 'participant' },
  })
  const room = playRoom(pair, { assigned: begun })
  room.respond('p1', 'rate', 7)
  expect(room.due()).not.toBe(room.now())
  room.respond('p2', 'rate', 3)
  room.dispatch({ type: 'assigned', participantId: 'p1', condition: 'gain' })
  expect(room.at('p1')).toBe('ask')
  room.dispatch({ type: 'leave', participantId: 'p2', actionId: 'gone' })
  room.dispatch({ type: 'assigned', participantId: 'p2', condition: 'loss' })
  expect(room.at('p1')).toBe('b')
  expect(room.room().seats.map(({ condition }) => condition)).toEqual(['gain', undefined])
})
