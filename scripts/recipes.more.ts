import { beforeAll, describe, expect, test, vi } from 'vitest'
import { everythingIn, unmatchedRows } from '../apps/server/test/security/authorisation-rows.ts'
import { componentTypes } from '../packages/contract/src/components/index.ts'
import { allRoutes, experimentRoutes } from '../packages/contract/src/index.ts'
import { buildOpenApi } from '../packages/contract/src/reference/index.ts'
import { componentsPage } from './generate/components-page.ts'
import { jspsychParameters } from './generate/jspsych-parameters.ts'
import { type CompileError, compileWith } from './test/compile-with.ts'
import {
  claimsIn,
  codeIn,
  filesFor,
  isName,
  isPath,
  type Recipe,
  read,
  recipesIn,
  sources,
  stepsOf,
} from './test/recipes.ts'

const recipes = recipesIn(read('CONTRIBUTING.md'))
const everySource = sources.filter((path) => /\.tsx?$/.test(path)).map(read)

const isDeclared = (name: string): boolean => {
  const declaration = new RegExp(`\\b(?:const|function|interface|type|class) ${name}\\b`)
  return everySource.some((text) => declaration.test(text))
}
/** `*Deps` is any name with that ending. */
const occursIn = (name: string, paths: readonly string[]): boolean => {
  const word = new RegExp(`\\b${name.replace('*', '\\w*')}\\b`)
  return paths.some((path) => word.test(read(path)))
}

test('there are recipes', () => {
  expect(recipes.map(({ name }) => name)).toContain('Add a route')
  expect(recipes.flatMap(stepsOf).length).toBeGreaterThan(recipes.length)
})

describe.each(recipes)('$name', (recipe: Recipe) => {
  test('names files that exist', () => {
    const paths = codeIn(recipe.text).filter((code) => isPath(code) && !code.startsWith('/'))
    expect(paths).not.toEqual([])
    expect(paths.filter((path) => filesFor(path).length === 0)).toEqual([])
  })

  test('names things that the files of its steps contain, or that are declared somewhere', () => {
    for (const { path, text } of stepsOf(recipe))
      for (const name of codeIn(text).filter(isName))
        expect(occursIn(name, filesFor(path)) || `${name} is not in ${path}`).toBe(true)
    const names = codeIn(recipe.text).filter((code) => isName(code) && !code.startsWith('*'))
    expect(names.filter((name) => !isDeclared(name))).toEqual([])
  })

  test('names commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const commands = [...recipe.text.matchAll(/`npm run (\S+?)`/g)].flatMap(([, name]) => name ?? [])
    expect(commands.filter((name) => !(name in scripts))).toEqual([])
  })
})

/** What is declared in the contract and nowhere else, and where it is then missing. */
const forgotten = {
  mood: ['apps/web/src/participant/views/catalogue.ts'],
  survey: ['apps/web/src/jspsych/plugins.ts'],
  wave: ['apps/server/src/modules/rooms/rules/participation.ts', 'packages/client/src/room/connect-room.ts'],
}

/** The first steps of three recipes, together: most of the time goes into the types of the contract. */
const firstSteps = {
  'components/mood.ts': () => `
    import { Type } from 'typebox'
    import { declareType } from './component-type.ts'
    export const mood = declareType({
      type: 'mood', title: 'Mood', description: 'How somebody feels.', place: 'state', responds: 'once',
      requiredByDefault: true, sentBy: 'page_button', records: 'The chosen mood.',
      settings: Type.Object({}), response: () => Type.Enum(['good', 'bad'], { title: 'Mood' }),
      example: { settings: {}, response: 'good' },
    })`,
  'components/declared.ts': (text: string) =>
    `import { mood } from './mood.ts'\n${text.replace(/^\] as const/m, '  mood,\n] as const')}`,
  'components/jspsych/plugins.ts': (text: string) =>
    text.replace('export const jspsychPlugins = [', "$&\n  'survey',"),
  // As `npm run generate` would.
  'components/jspsych/parameter-table.ts': (text: string) => text.replace(/ = \{$/m, '$&\n  survey: {},'),
  'room/actions.ts': (text: string) =>
    text.replace('export const roomActions = {', '$&\n  wave: action({}),'),
}

describe('what goes wrong when a step is forgotten', () => {
  let errors: CompileError[] = []
  beforeAll(async () => {
    const typesOfHls = 'apps/web/src/participant/media/hls-light.d.ts'
    errors = await compileWith(firstSteps, [...Object.values(forgotten).flat(), typesOfHls])
  })
  const placesWithout = (name: string) =>
    errors.filter(({ message }) => message.includes(`Property '${name}' is missing`)).map(({ path }) => path)

  test('it does not compile where a recipe says so, and everywhere else it does', () => {
    expect(errors.map(({ path }) => path).toSorted()).toEqual(Object.values(forgotten).flat().toSorted())
  })

  const shown: Record<string, () => Promise<void> | void> = {
    'until then, the web app does not compile': () => {
      expect(placesWithout('mood')).toEqual(forgotten.mood)
    },
    'add the name to `packages/contract/src/components/jspsych/plugins.ts` and the import to `apps/web/src/jspsych/plugins.ts`, which does not compile without it':
      () => {
        expect(placesWithout('survey')).toEqual(forgotten.survey)
      },
    '`npm run check` fails when a new version of a plugin has other parameters than the table': async () => {
      const table = read('packages/contract/src/components/jspsych/parameter-table.ts')
      expect(await jspsychParameters()).toBe(table)
      vi.doMock('@jspsych/plugin-instructions', () => ({
        default: { info: { name: 'instructions', parameters: { pages: { type: 1 } } } },
      }))
      expect(await jspsychParameters()).not.toBe(table)
      vi.doUnmock('@jspsych/plugin-instructions')
    },
    'Once it is in the first, the project does not compile until it is in the others': () => {
      expect(placesWithout('wave').toSorted()).toEqual(forgotten.wave)
    },
    'a test fails for a route without a row': () => {
      const route = { ...experimentRoutes.create, path: '/api/experiments/new' }
      expect(unmatchedRows(everythingIn(allRoutes)).withoutRow).toEqual([])
      expect(unmatchedRows(everythingIn([...allRoutes, route])).withoutRow).toEqual([
        'POST /api/experiments/new',
      ])
    },
  }

  test.each(Object.entries(shown))('%s', async (_, show) => await show())

  test('is shown for all that the recipes say about it', () => {
    expect(recipes.flatMap(claimsIn)).toEqual(Object.keys(shown))
  })
})

describe('a component type', () => {
  test('is known by name only in its declaration and its view', () => {
    const names = Object.keys(componentTypes).join('|')
    const comparison = new RegExp(`\\btype\\)? (?:===|!==) '(?:${names})'`)
    const code = sources.filter((path) => /^(?:apps|packages)\/\w+\/src\/.*\.tsx?$/.test(path))
    expect(code.length).toBeGreaterThan(500)
    const ours = code.filter((path) => !/\.test\.ts$|\/test\//.test(path))
    expect(ours.filter((path) => comparison.test(read(path)))).toEqual([])
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
