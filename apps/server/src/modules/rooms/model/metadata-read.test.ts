import { expect, it, test } from 'vitest'
import { group, playRoom, state } from '../test/played-room.ts'
import { metadataFor, metadataRead } from './metadata-read.ts'

const study = {
  name: 'Study',
  variables: { old: { scope: 'participant' as const, compute: "metadata['birth year'] < 1960" } },
  states: [
    state('s', {
      instructions: 'Hello {{metadata.name}}',
      onEnter: { x: 'metadata["frame"]', y: 'metadata.externalId' },
    }),
  ],
}

test('[RM193] a study reads the fields that its expressions name, and nothing that says who somebody is', () => {
  expect(metadataRead(study)).toEqual(['name', 'frame', 'birth year'])
})

test.each([
  [
    { name: 'Ann', frame: '1' },
    { name: 'Ann', frame: 1 },
  ],
  [
    { frame: 'true', name: '007' },
    { name: '007', frame: true },
  ],
  [{ name: 'a'.repeat(201), frame: { deep: 1 }, other: 2 }, {}],
  [
    { frame: '1e9', name: '' },
    { name: '', frame: '1e9' },
  ],
])('[RM193] of %j the room keeps %j', (given, kept) => {
  expect(metadataFor(['name', 'frame', 'constructor'], given)).toEqual(kept)
})

it('[RM193] expressions read what each participant joined with', () => {
  const states = [
    state('s', { instructions: 'You are {{metadata.age}}', onEnter: { isOld: 'metadata.age > 60' } }),
  ]
  const room = playRoom(group(states, { variables: { isOld: { scope: 'participant', initial: null } } }), {
    metadata: [{ age: 70 }, {}],
  })
  expect(room.room().seats.map(({ variables }) => variables.isOld)).toEqual([true, null])
  expect(['p1', 'p2'].map((who) => room.snapshot(who).state?.instructions)).toEqual([
    'You are 70',
    'You are –',
  ])
})
