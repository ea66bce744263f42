import type { Settings } from '@atrium/contract/components'
import { componentTypes, nearestName } from '@atrium/contract/components'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkComponents } from './check-components.ts'

const study = (component: Settings & { id: string; type: string }) => ({
  name: 'Study',
  states: [{ id: 's', components: [{ id: 'film', type: 'video', src: '/film.mp4' }, component] }],
  variables: { c: 0, earned: 0 },
})

const errorsOf = (type: string, more: Settings) =>
  checkComponents(study({ id: 'c', type, ...componentTypes[type]?.example.settings, ...more })).errors

describe.each(Object.values(componentTypes).map(({ type, settings }) => ({ type, settings })))(
  '[R61] [F50] $type',
  ({ type, settings }) => {
    const known = [...Object.keys(settings.properties), 'id', 'type', 'roles', 'required', 'saveTo']

    test('a setting that it does not have is refused, and the nearest is named', () => {
      const misspelt = fc
        .tuple(fc.constantFrom(...known), fc.nat(20), fc.constantFrom('x', 'q', '_'))
        .map(([name, at, letter]) => name.slice(0, at) + letter + name.slice(at))
        .filter((name) => !known.includes(name))
      fc.assert(
        fc.property(misspelt, fc.jsonValue(), (name, value) => {
          const near = nearestName(name, known)
          const meant = near === undefined ? '' : `; did you mean ‘${near}’?`
          expect(errorsOf(type, { [name]: value })).toEqual([
            {
              path: `/states/0/components/1/${name}`,
              message: `unknown setting ‘${name}’${meant}`,
            },
          ])
        }),
        { numRuns: 20 },
      )
    })
  },
)

test('[F50] any name is allowed in what a study hands to its own page', () => {
  expect(errorsOf('custom_html', { data: { anything: { at: ['all', { deep: 1 }] } } })).toEqual([])
})

test('[ADR 9] settings of an unknown type are not checked', () => {
  expect(checkComponents(study({ id: 'c', type: 'my_own', showIf: 'x', more: [{ y: 1 }] })).errors).toEqual(
    [],
  )
})
