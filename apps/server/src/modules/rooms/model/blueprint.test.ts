import type { ExperimentDefinition } from '@atrium/contract'
import { expect, it } from 'vitest'
import { compileBlueprint } from './blueprint.ts'

const languages = ['en', 'de', 'fr']
const inAll = (text: string) => Object.fromEntries(languages.map((one) => [one, `${one}: ${text}`]))

/** Says which of its states are read. */
function watched(states: number, characters = 10) {
  const read = new Set<string>()
  const written = {
    name: 'Watched',
    languages,
    roles: [{ id: 'r', name: inAll('role') }],
    globalComponents: [{ id: 'g', type: 'text', text: inAll('global') }],
    states: Array.from({ length: states }, (_, index) => ({
      id: `s${index}`,
      end: { on: 'condition', when: 'x > 1' },
      get components() {
        read.add(`s${index}`)
        return [{ id: 't', type: 'text', text: inAll('x'.repeat(characters)) }]
      },
    })),
  }
  return { read, blueprint: () => compileBlueprint(written as unknown as ExperimentDefinition) }
}

it('[RM148] a state is put into another language when somebody enters it, with the rules of the first', () => {
  const { read, blueprint } = watched(20)
  const inFirst = blueprint()
  read.clear()
  const inGerman = inFirst.inLanguage('de')
  expect(inGerman.globals[0]?.view).toMatchObject({ text: 'de: global' })
  expect(inGerman.definition.roles).toMatchObject([{ name: 'de: role' }])
  expect([...read]).toEqual([])
  const state = inGerman.states.get('s7')
  expect(state?.components[0]?.view).toMatchObject({ text: 'de: xxxxxxxxxx' })
  expect([...read]).toEqual(['s7'])
  expect(state?.endsWhen).toBe(inFirst.states.get('s7')?.endsWhen)
  expect(inGerman.variables).toBe(inFirst.variables)
  expect(inGerman.states.get('nowhere')).toBeUndefined()
})

it('[RM148] of the states in other languages, only so many are kept, for all of them together', () => {
  const { read, blueprint } = watched(20, 80_000)
  const inFirst = blueprint()
  const visit = () => {
    for (const language of ['de', 'fr'])
      for (let index = 0; index < 20; index++) inFirst.inLanguage(language).states.get(`s${index}`)
  }
  visit()
  read.clear()
  for (let index = 0; index < 20; index++) inFirst.inLanguage('fr').states.get(`s${index}`)
  expect(read.size).toBe(0)
  visit()
  expect(read.size).toBeGreaterThan(0)
})
