import { componentTypes, publicComponent } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { knownSettings } from './known-settings.ts'
import { misfit } from './reader.ts'

/** What is read of a component’s settings, and what comes of it. */
function readingOf(type: string, settings: Record<string, unknown>) {
  const names = new Set<string>()
  const watched = new Proxy(settings, {
    get(target, name) {
      names.add(String(name))
      return Reflect.get(target, name)
    },
  })
  const read = Object.entries(knownSettings).find(([known]) => known === type)?.[1](watched)
  return { names: [...names].toSorted(), read }
}

describe('the catalogue and the views', () => {
  it.each(Object.values(componentTypes))(
    'agree on the settings of $type',
    ({ type, settings, secret, example }) => {
      const shown = publicComponent({ id: 'it', type, ...example.settings })
      const { names, read } = readingOf(type, shown)
      expect(read, 'the example of the catalogue can be shown').not.toBe(misfit)
      const declared = Object.keys(settings.properties).filter((name) => !secret.includes(name))
      expect(names).toEqual(declared.toSorted())
    },
  )
})

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
