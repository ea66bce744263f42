import { fileURLToPath } from 'node:url'
import { runInThisContext } from 'node:vm'
import * as root from '@atrium/contract'
import * as components from '@atrium/contract/components'
import { rolldown } from 'rolldown'
import { beforeAll, expect, test } from 'vitest'
import { contractForPages } from './contract-for-pages.ts'
import { formatsInPages, leanPackages } from './lean-packages.ts'
import { noCodeFromText } from './no-code-from-text.ts'

const contract = { ...root, ...components }

/** As pages load it. */
let inPages: typeof contract

const source = fileURLToPath(new URL('../../packages/contract/src/', import.meta.url))
const both = {
  name: 'both',
  resolveId: (id: string) => (id === 'both' ? id : null),
  load: (id: string) =>
    id === 'both' ? `export * from '${source}index.ts'; export * from '${source}components/index.ts'` : null,
}

beforeAll(async () => {
  const bundle = await rolldown({
    input: 'both',
    plugins: [both, contractForPages(), leanPackages(), noCodeFromText()],
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'inPages', codeSplitting: false })
  await bundle.close()
  inPages = runInThisContext(`${output[0].code}; inPages`)
})

/** What a schema allows, without the words that explain it. */
const meaningOf = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema ?? null, (key, value) =>
      typeof value === 'string' && ['title', 'description'].includes(key) ? undefined : value,
    ),
  )

test.each(Object.values(contract.componentTypes))(
  '$type: pages read the same settings, and the same answers fit',
  ({ type, example, settings }) => {
    const shown = contract.publicComponent({ id: 'example', type, ...example.settings })
    const [whole, inPage] = [contract.componentTypeOf(type), inPages.componentTypeOf(type)]
    expect(meaningOf(inPage.settings)).toEqual(meaningOf(settings))
    expect(inPage.read(shown)).toEqual(whole.read(shown))
    const odd = { ...shown, label: 7, options: 7, src: 7, text: 7, html: 7, variable: 7 }
    expect(inPage.read(odd)).toEqual(whole.read(odd))
    expect(meaningOf(inPages.responseSchemaOf(shown))).toEqual(meaningOf(contract.responseSchemaOf(shown)))
    expect(inPages.isRequired(shown)).toBe(contract.isRequired(shown))
    for (const trait of ['responds', 'sentBy', 'isInBar', 'plays', 'isCheck', 'takesFile'] as const)
      expect(inPage[trait], trait).toEqual(whole[trait])
    expect(inPage).not.toHaveProperty('example')
  },
)

test('pages judge only what a researcher’s own page sends; everything else is for the server to decide', () => {
  const judged = Object.values(inPages.componentTypes).filter(({ evaluate }) => evaluate !== undefined)
  expect(judged.map(({ type }) => type)).toEqual(['custom_html'])
  const tooLarge = 'x'.repeat(70_000)
  for (const value of [1, tooLarge]) {
    const judge = (by: typeof contract) =>
      by.evaluateResponse({ id: 'own', type: 'custom_html' }, value, { elapsedMs: 0, attempt: 1 })
    expect(judge(inPages)).toEqual(judge(contract))
  }
})

test('pages call the same routes, and know nothing else about them', () => {
  const routes = { ...contract.participantRoutes, ...contract.identityRoutes }
  const known: Record<string, object> = { ...inPages.participantRoutes, ...inPages.identityRoutes }
  expect(Object.keys(known)).toEqual(Object.keys(routes))
  for (const [name, { method, path, envelope }] of Object.entries(routes)) {
    expect(known[name]).toMatchObject({ method, path, envelope })
    for (const part of ['body', 'query', 'success', 'errors']) expect(known[name]).not.toHaveProperty(part)
  }
})

test('pages can check every format that settings and answers have', () => {
  const schemas = Object.values(contract.componentTypes).map(({ settings, response, example }) => [
    settings,
    response(example.settings),
    response({ ...example.settings, kind: 'email' }),
  ])
  const formats = JSON.stringify(schemas).matchAll(/"format":"([^"]*)"/g)
  for (const [, format] of formats) expect(formatsInPages).toContain(format)
})
