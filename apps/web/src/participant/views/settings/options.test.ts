import { expect, it } from 'vitest'
import { optionsOf } from './options.ts'

it('brings the short forms of options into one form', () => {
  expect(optionsOf(['a', 4, { value: 'b', label: 'B', image: '/b.png' }])).toEqual([
    { value: 'a', label: 'a', image: undefined, alt: '' },
    { value: 4, label: '4', image: undefined, alt: '' },
    { value: 'b', label: 'B', image: '/b.png', alt: '' },
  ])
})
