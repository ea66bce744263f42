import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { allRoutes, buildOpenApi, componentTypes } from '../packages/contract/src/index.ts'
import { componentsPage } from './generate/components-page.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

/** The number of files that each recipe in CONTRIBUTING.md names. If one grows, it must give the reason. */
const recipes: Record<string, number> = {
  'Add a component type': 4,
  'Add a room action': 3,
  'Add a route': 3,
  'Add a configuration value': 3,
  'Add a metric': 3,
  'Add a model preset': 1,
}

/** The files named by the numbered steps of a recipe; `<name>` matches anything. */
function filesOf(recipe: string): string[] {
  const [, section = ''] = read('CONTRIBUTING.md').split(`### ${recipe}\n`)
  const [steps = ''] = section.split(/^##/m)
  return [...steps.matchAll(/^\d+\. `([^`]+)`/gm)].flatMap(([, path]) => path ?? [])
}

describe.each(Object.entries(recipes))('%s', (recipe, most) => {
  test(`touches ${most} existing files`, () => {
    const files = filesOf(recipe)
    expect(files).toHaveLength(most)
    const missing = files.filter(
      (path) => globSync(path.replaceAll(/<[^>]+>/g, '*'), { cwd: root }).length === 0,
    )
    expect(missing).toEqual([])
  })
})

describe('a component type', () => {
  test('is known by name only in its declaration and its view', () => {
    const sources = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', {
      cwd: root,
      exclude: ['**/*.{test,more}.ts', '**/test/**'],
    })
    const names = Object.keys(componentTypes).join('|')
    const comparison = new RegExp(`\\btype\\)? (?:===|!==) '(?:${names})'`)
    expect(sources.filter((path) => comparison.test(read(path)))).toEqual([])
  })

  test('is documented once it is declared', () => {
    expect(componentsPage(buildOpenApi(allRoutes, { version: '1' }))).toContain(
      '## Mood\n\n`mood`: How somebody feels.',
    )
  })
})

vi.mock('../packages/contract/src/components/declared.ts', async (original) => {
  const { declareType } = await vi.importActual<{ declareType(declared: object): unknown }>(
    '../packages/contract/src/components/component-type.ts',
  )
  const mood = declareType({
    type: 'mood',
    title: 'Mood',
    description: 'How somebody feels.',
    place: 'state',
    responds: 'once',
    requiredByDefault: true,
    records: 'The chosen mood.',
    settings: { type: 'object', properties: {} },
    response: () => ({ enum: ['good', 'bad'], title: 'Mood' }),
    example: { settings: {}, response: 'good' },
  })
  return { declared: [...(await original<{ declared: unknown[] }>()).declared, mood] }
})
