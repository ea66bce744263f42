import type { ExperimentDefinition } from '@atrium/contract'
import { expect, test } from 'vitest'
import { knownComponents } from './known-components.ts'

const slider = { id: 'rate', type: 'slider', min: 0, max: 10 }
const definition = {
  name: 'Two roles',
  roles: [{ id: 'seller' }, { id: 'buyer' }],
  states: [
    { id: 'offer', components: [slider, { id: 'price', type: 'slider', max: 5, roles: ['seller'] }] },
    { id: 'sell', roles: ['seller'], components: [{ ...slider, max: 20 }] },
  ],
  globalComponents: [{ id: 'note', type: 'text_input', roles: ['buyer'] }],
} as ExperimentDefinition

test.each<[componentId: string, stateId: string | undefined, value: unknown, role: string, isTaken: boolean]>(
  [
    ['price', 'offer', 4, 'seller', true],
    ['price', 'offer', 6, 'seller', false],
    ['price', 'offer', 4, 'buyer', false],
    ['price', undefined, 4, 'buyer', false],
    ['rate', 'sell', 15, 'seller', true],
    ['rate', 'sell', 5, 'buyer', false],
    ['rate', undefined, 15, 'seller', true],
    ['rate', undefined, 15, 'buyer', false],
    ['rate', undefined, 21, 'seller', false],
    ['note', 'offer', 'a', 'buyer', true],
    ['note', 'offer', 'a', 'seller', false],
    // Somebody who has no role yet.
    ['price', 'offer', 4, 'participant', true],
    ['price', 'offer', 6, 'participant', false],
    ['unknown', 'offer', 6, 'buyer', true],
  ],
)('[E15,E21] %s in %s takes %j from a %s: %s', (componentId, stateId, value, role, isTaken) => {
  const event = { componentId, data: { value }, ...(stateId === undefined ? {} : { stateId }) }
  expect(knownComponents(definition).takes(event, role)).toBe(isTaken)
})

test('[E15,F85] in a block that rotates roles, everyone may have answered in any of them', () => {
  const blocks = [{ id: 'game', states: ['offer'], rounds: 2, rotateRoles: true }]
  const known = knownComponents({ ...definition, blocks })
  const takes = (componentId: string, stateId: string): boolean =>
    known.takes({ componentId, stateId, data: { value: 4 } }, 'buyer')
  expect([takes('price', 'offer'), takes('rate', 'sell')]).toEqual([true, false])
})

test('[E15,F85,F183] so may they in a block within one that rotates roles', () => {
  const blocks = [
    { id: 'match', states: ['game'], rounds: 2, rotateRoles: true },
    { id: 'game', states: ['offer'] },
  ]
  const known = knownComponents({ ...definition, blocks })
  const event = { componentId: 'price', stateId: 'offer', data: { value: 4 } }
  expect(known.takes(event, 'buyer')).toBe(true)
})
