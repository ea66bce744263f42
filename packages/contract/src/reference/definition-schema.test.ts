import Schema from 'typebox/schema'
import { expect, test } from 'vitest'
import { allRoutes } from '../api/routes.ts'
import { componentTypes } from '../components/catalogue.ts'
import type { ExperimentDefinition } from '../definition/definition.ts'
import { inLanguage } from '../definition/languages.ts'
import { definitionSchema } from './definition-schema.ts'
import type { SchemaNode } from './document.ts'
import { buildOpenApi } from './openapi.ts'

const schema = definitionSchema(buildOpenApi(allRoutes, { version: '0' }))
const accepts = (definition: unknown) => Schema.Check(schema, definition)

const studyWith = (component: object, isGlobal: boolean) => ({
  name: { en: 'Mood', de: 'Stimmung' },
  languages: ['en', 'de'],
  states: [{ id: 'only', components: isGlobal ? [] : [component] }],
  ...(isGlobal && { globalComponents: [component] }),
})

/** Settings of the top level that participants read. */
const textsOf = (type: string) =>
  Object.entries(componentTypes[type]?.settings.properties ?? {}).filter(([, node]) => 'x-text' in node)

test.each(Object.values(componentTypes))(
  '$type: the published schema takes every text plain and by language, and nothing else for it',
  ({ type, example, place, fits }) => {
    const isGlobal = place === 'global'
    const written = (texts: object) => studyWith({ id: 'it', type, ...example.settings, ...texts }, isGlobal)
    expect(accepts(written({}))).toBe(true)
    for (const [name] of textsOf(type)) {
      const both = written({ [name]: { en: 'Yes', de: 'Ja' } })
      expect([name, accepts(both)]).toEqual([name, true])
      const read = inLanguage(both as unknown as ExperimentDefinition)
      const [component] = [...(read.states[0]?.components ?? []), ...(read.globalComponents ?? [])]
      expect([name, fits({ ...component })]).toEqual([name, true])
      expect([name, accepts(written({ [name]: 7 }))]).toEqual([name, false])
      expect([name, accepts(written({ [name]: { en: 7 } }))]).toEqual([name, false])
      expect([name, accepts(written({ [name]: { 'not a language': 'x' } }))]).toEqual([name, false])
    }
  },
)

test('texts in lists may be given by language, too', () => {
  const pages = ['Read.', { en: 'Read.', de: 'Lies.' }, { title: { en: 'One', de: 'Eins' }, text: 'x' }]
  expect(accepts(studyWith({ id: 'it', type: 'instructions', pages }, false))).toBe(true)
  expect(accepts(studyWith({ id: 'it', type: 'instructions', pages: [7] }, false))).toBe(false)
})

test('[F58] numbers, options and words may come from values', () => {
  const slider = (max: unknown) => accepts(studyWith({ id: 'it', type: 'slider', max }, false))
  expect([slider('{{pot}}'), slider({ from: 'pot' }), slider('ten'), slider({ of: 'pot' })]).toEqual([
    ...[true, true],
    ...[false, false],
  ])
  const choice = (options: unknown) => accepts(studyWith({ id: 'it', type: 'dropdown', options }, false))
  expect([choice({ from: 'names' }), choice(['a', '{{name}}']), choice({ of: 'names' })]).toEqual([
    true,
    true,
    false,
  ])
})

test('every text of every type says both forms', () => {
  const plainTexts = (node: SchemaNode): SchemaNode[] => [
    ...(node['x-text'] !== undefined && node.anyOf === undefined ? [node] : []),
    ...[
      ...Object.values(node.properties ?? {}),
      ...(node.anyOf ?? []),
      ...(node.items ? [node.items] : []),
    ].flatMap(plainTexts),
  ]
  expect(Object.values(schema.$defs).flatMap(plainTexts)).toEqual([])
})
