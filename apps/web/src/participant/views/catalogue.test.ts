import { componentTypeOf, componentTypes, publicComponent } from '@atrium/contract/components'
import { describe, expect, it } from 'vitest'
import { views } from './catalogue.ts'

describe('the catalogue of views', () => {
  it('has a view for each component type, and none besides', () => {
    expect([...views.keys()].sort()).toEqual(Object.keys(componentTypes).sort())
  })

  it.each(Object.values(componentTypes))(
    '$type: can show the example as a participant receives it',
    ({ type, example, read }) => {
      expect(read(publicComponent({ id: 'example', type, ...example.settings }))).toBeDefined()
    },
  )

  it.each([
    ['slider', { label: 7 }],
    ['multiple_choice', {}],
    ['multiple_choice', { options: [{ label: 'without a value' }] }],
    ['matrix', { rows: ['a'] }],
    ['image', { src: 7 }],
    ['text_input', { kind: 'novel' }],
    ['sparse_rating', { atMs: ['soon'] }],
  ])('%s: finds settings that do not fit: %j', (type, settings) => {
    expect(componentTypeOf(type).read({ id: 'a', type, ...settings })).toBeUndefined()
  })
})
