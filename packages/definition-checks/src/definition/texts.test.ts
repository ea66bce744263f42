import type { ExperimentDefinition } from '@atrium/contract'
import { inLanguage } from '@atrium/contract'
import { expect, test } from 'vitest'
import { checkComponents } from '../components/check-components.ts'

const same = { id: 'same', type: 'slider', label: '1–9', min: 9, max: 1 }
const own = { ...same, id: 'own', label: { en: 'How much?', de: 'Wie viel?' } }
const definition: ExperimentDefinition = {
  name: 'Study',
  languages: ['en', 'de'],
  states: [{ id: 's', components: [same, own] }],
}

test('[F34] [R40] a component that reads the same in every language stays the same object', () => {
  const translated = inLanguage(definition, 'de').states[0]?.components
  expect(translated?.[0]).toBe(same)
  expect(translated?.[1]).toEqual({ ...own, label: 'Wie viel?' })
})

test('[F34] [R40] in further languages, only components that are translated are checked', () => {
  const known = new Set([same, own])
  const pathsOf = (language: string) =>
    checkComponents(inLanguage(definition, language), known).errors.map(({ path }) => path)
  expect(checkComponents(inLanguage(definition)).errors).toHaveLength(2)
  expect(pathsOf('de')).toEqual(['/states/0/components/1/max'])
})
