import { describe, expect, it } from 'vitest'
import { knownSettings } from './known-settings.ts'

describe('settings as a view reads them', () => {
  it('fills in what the catalogue says an absent setting means', () => {
    expect(knownSettings.slider({})).toMatchObject({ min: 0, max: 100, step: 1, showValue: false })
    expect(knownSettings.video({ src: '/a.mp4' })).toMatchObject({ autoplay: true, controls: false })
    expect(knownSettings.matrix({ rows: ['a'], columns: ['b'] })).toMatchObject({ allRows: true })
    expect(knownSettings.instructions({})).toMatchObject({ pages: [], questions: [], maxAttempts: 3 })
  })

  it('brings the short forms of options and pages into one form', () => {
    expect(
      knownSettings.ranking({ items: ['a', 4, { value: 'b', label: 'B', image: '/b.png' }] }),
    ).toMatchObject({
      items: [
        { value: 'a', label: 'a', image: undefined, alt: '' },
        { value: 4, label: '4', image: undefined, alt: '' },
        { value: 'b', label: 'B', image: '/b.png', alt: '' },
      ],
    })
    expect(knownSettings.instructions({ pages: ['one', { title: 'Two' }] })).toMatchObject({
      pages: [
        { title: undefined, text: 'one' },
        { title: 'Two', text: undefined },
      ],
    })
  })
})
