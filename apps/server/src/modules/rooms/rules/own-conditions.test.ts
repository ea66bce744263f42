import { expect, it } from 'vitest'
import { group, playRoom, state } from '../test/played-room.ts'

const factors = { frame: ['gain', 'loss'], source: ['human', 'machine'] }
const shown = { id: 'advice', type: 'text', text: 'Advice of a {{condition.source}} ({{condition}})' }
const pair = group([state('a', { components: [shown], onEnter: { seen: 'condition.frame' } }), state('b')], {
  conditions: { factors, per: 'participant' },
  variables: { seen: { scope: 'participant', initial: null } },
})
const assigned = { condition: null, conditions: ['gain×human', 'loss×machine'], rows: [{}] }

it('[RM205] people in a room have conditions of their own, in expressions, texts and reports', () => {
  const room = playRoom(pair, { assigned })
  expect(room.room().condition).toBeNull()
  expect(room.report().map(({ condition }) => condition)).toEqual(['gain×human', 'loss×machine'])
  expect(room.room().seats.map(({ variables }) => variables.seen)).toEqual(['gain', 'loss'])
  const textFor = (who: string) => JSON.stringify(room.snapshot(who).state?.components)
  expect(textFor('p1')).toContain('Advice of a human (gain×human)')
  expect(textFor('p2')).toContain('Advice of a machine (loss×machine)')
  expect([room.snapshot('p1').condition, room.snapshot('p2').condition]).toEqual([
    'gain×human',
    'loss×machine',
  ])
})

it('[RM205,RM180] nobody receives the condition of somebody else, and without a text that shows it not even their own', () => {
  const told = playRoom(pair, { assigned })
  expect(JSON.stringify(told.heard('p1'))).not.toContain('machine')
  const { components: _, ...blind } = state('a')
  const room = playRoom({ ...pair, states: [{ ...blind, components: [] }] }, { assigned })
  expect(room.snapshot('p1').condition).toBeNull()
})

it('[RM205] the condition and its factors are recorded with each person', () => {
  const room = playRoom(pair, { assigned })
  expect(room.recordsOf('p2', 'condition_assigned')).toMatchObject([
    { data: { condition: 'loss×machine', factors: { frame: 'loss', source: 'machine' } } },
  ])
})

it('[RM205] an agent that takes a seat over has the condition of the person who left', () => {
  const robo = {
    id: 'robo',
    name: 'Robo',
    provider: 'Scripted' as const,
    replaces: true,
    instructions: 'Play.',
  }
  const room = playRoom(
    { ...pair, agents: [robo], dropout: { policy: 'replace_with_agent', graceMs: 10 } },
    { assigned },
  )
  room.dispatch({ type: 'disconnected', participantId: 'p2' })
  room.pass(1_000)
  const taken = room.room().seats.filter(({ agent }) => agent)
  expect(taken.map(({ condition }) => condition)).toEqual(['loss×machine'])
})

it('[RM206] when every condition is full, everybody leaves with QUOTA_FULL before the first state', () => {
  const room = playRoom(
    group([state('a'), state('b')], { conditions: { values: ['x'], quotas: { x: 2 } } }),
    {
      assigned: { condition: null, isFull: true, rows: [{}] },
    },
  )
  expect(room.outcomes()).toEqual(['QUOTA_FULL', 'QUOTA_FULL'])
  expect(room.room().status).toEqual({ kind: 'ended', reason: 'quota_full' })
  expect(room.path()).toEqual([])
  expect(room.recordsOf('p1', 'condition_assigned')).toEqual([])
  expect(room.typesHeard('p1')).toContain('finished')
})
