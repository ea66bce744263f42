import { componentTypes, publicComponent } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { views } from './catalogue.ts'
import { knownSettings } from './settings/known-settings.ts'
import { misfit, type Reader } from './settings/reader.ts'

const readers: Readonly<Record<string, Reader<unknown> & { names: readonly string[] }>> = knownSettings

describe('the catalogue of views', () => {
  it('has a view for each component type, and none besides', () => {
    expect(Object.keys(views).sort()).toEqual(Object.keys(componentTypes).sort())
  })

  it.each(Object.values(componentTypes).map((type) => [type.type, type] as const))(
    '%s: reads every setting that participants receive',
    (name, { settings, secret }) => {
      const received = Object.keys(settings.properties).filter((setting) => !secret.includes(setting))
      expect([...(readers[name]?.names ?? [])].sort()).toEqual(received.sort())
    },
  )

  it.each(Object.values(componentTypes).map((type) => [type.type, type] as const))(
    '%s: can show the example as a participant receives it',
    (name, { example }) => {
      const component = publicComponent({ id: 'example', type: name, ...example.settings })
      expect(readers[name]?.(component)).not.toBe(misfit)
    },
  )

  it.each([
    ['slider', { label: 7 }],
    ['multiple_choice', {}],
    ['multiple_choice', { options: [{ label: 'without a value' }] }],
    ['matrix', { rows: ['a'] }],
    ['image', {}],
    ['text_input', { kind: 'novel' }],
    ['sparse_rating', { atMs: ['soon'] }],
  ])('%s: settings that do not fit are found: %j', (type, settings) => {
    expect(readers[type]?.({ id: 'a', type, ...settings })).toBe(misfit)
  })
})
