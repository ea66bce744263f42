// Every command and every snippet of the documentation works. CONTRIBUTING.md says how a block tells what it is.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allRoutes } from '@atrium/contract'
import {
  createApi,
  createResearcher,
  createTemporaryFolder,
  openBrowser,
  type Server,
  startServer,
  type TemporaryFolder,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configurationKeys, readConfig } from '../apps/server/src/config.ts'
import { parseExpression } from '../apps/server/src/modules/flow/index.ts'
import { type Block, blocksIn, inlineCodeIn, isShownBy, placeOf } from './docs-blocks.ts'
import { notRun, problemWith } from './docs-commands.ts'
import { readerOf } from './docs-definitions.ts'
import { furnish, runBlocks, withoutComment } from './docs-shell.ts'
import { bundleSnippet, checkTypes, runInNode, writeSnippet } from './docs-snippets.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** All but docs/reference, which is generated from the contract and its examples. */
const pages = globSync(['*.md', 'docs/*.md', 'docs/adr/*.md', '{apps,packages,bench}/**/*.md'], { cwd: root })
  .filter((page) => !page.includes('node_modules'))
  .toSorted()
const read = (page: string): string => readFileSync(join(root, page), 'utf8')
const allBlocks = pages.flatMap((page) => blocksIn(page, read(page)))
const withLanguage = (language: string) => allBlocks.filter((block) => block.language === language)

/** What is done with each kind of block. Pictures and texts are for eyes only. */
const known = ['sh', 'json', 'json output', 'ts', 'env', 'expression', 'text', 'mermaid']

test('it is known how to run every block', () => {
  const unknown = allBlocks.filter(({ language, note }) => {
    const kind = `${language} ${note}`.trim()
    return !known.includes(kind) && !/^json [\w-]+\.json$/.test(kind)
  })
  expect(unknown.map(placeOf), `a block is one of: ${known.join(', ')}, json <file>.json`).toEqual([])
})

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server?.stop())
const here = (text: string): string => text.replaceAll('http://127.0.0.1:3000', server.http)

/** Several programs one after the other, on a machine that may be busy with something else. */
const longMs = 600_000

describe('the commands of', () => {
  const env = () => ({
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    HOME: process.env.HOME ?? '',
    PORT: new URL(server.http).port,
  })

  const pagesWithCommands = [...new Set(withLanguage('sh').map(({ page }) => page))]
  test.each(pagesWithCommands)(
    '%s',
    async (page) => {
      const folder = createTemporaryFolder('docs')
      furnish(folder.path)
      const blocks = blocksIn(page, read(page))
      const { files } = readerOf(blocks)
      for (const [name, content] of files) writeFileSync(join(folder.path, name), content)
      const commands = blocks.filter(({ language }) => language === 'sh')
      const outputs = await runBlocks(
        commands.map((block) => ({ ...block, text: here(block.text) })),
        folder.path,
        env(),
      )
      for (const shown of blocks.filter(({ note }) => note === 'output')) {
        const before = commands.filter(({ line }) => line < shown.line).at(-1)
        expectShown(shown, outputs.get(before?.line ?? 0) ?? '')
      }
      folder.remove()
    },
    longMs,
  )
})

function expectShown(shown: Block, output: string): void {
  const answers = output.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
  const wanted = JSON.parse(shown.text)
  expect(
    answers.some((real) => isShownBy(wanted, real)),
    `${placeOf(shown)} is not what was printed:\n${output}`,
  ).toBe(true)
}

const pagesWithDefinitions = [...new Set(withLanguage('json').map(({ page }) => page))]
test.each(pagesWithDefinitions)('the definitions of %s can be saved, without a warning', (page) => {
  expect(readerOf(blocksIn(page, read(page))).problems).toEqual([])
})

describe('the snippets of', () => {
  let folder: TemporaryFolder
  beforeAll(() => {
    folder = createTemporaryFolder('docs')
    furnish(folder.path)
  })
  afterAll(() => folder?.remove())
  const snippets = withLanguage('ts').map((block) => [placeOf(block), block] as const)

  test('all pages have the right types', async () => {
    const files = snippets.map(([, block], index) =>
      writeSnippet(folder.path, `snippet-${index}.ts`, block.text),
    )
    await expect(checkTypes(folder.path, files)).resolves.toBe('')
  })

  /** The study that the page has before the snippet, open for participants. */
  async function openStudy({ page, line }: Block): Promise<string> {
    const before = blocksIn(page, read(page)).filter((block) => block.line < line)
    return await (await createResearcher(createApi(server.http))).openExperiment(readerOf(before).study)
  }

  test.each(snippets)('%s do what they say', async (_, block) => {
    const file = writeSnippet(folder.path, 'snippet.ts', here(block.text))
    const study = await openStudy(block)
    if (!/\b(?:window|document|location)\b/.test(block.text)) await runInNode(file, study)
    else await runInBrowser(file, study)
  })

  async function runInBrowser(file: string, study: string): Promise<void> {
    const bundle = await bundleSnippet(file)
    const browser = await openBrowser()
    try {
      // Any page of the platform will do, as long as its own policy does not keep the snippet out.
      const page = await browser.newPage({ bypassCSP: true })
      const failures: Error[] = []
      page.on('pageerror', (error) => failures.push(error))
      await page.goto(`${server.http}/health/live?study=${study}`)
      await page.addScriptTag({ type: 'module', content: `${bundle}\nwindow.hasEnded = true` })
      await waitUntil(async () => {
        const hasEnded = await page.evaluate<boolean>('window.hasEnded === true')
        return hasEnded || failures.length > 0 || page.evaluate<string>('document.body.textContent')
      })
      expect(failures).toEqual([])
    } finally {
      await browser.close()
    }
  }
})

test.each(withLanguage('env').map((block) => [placeOf(block), block] as const))(
  'the settings of %s are accepted',
  (_, { text }) => {
    const lines = text.split('\n').map((line) => line.replace(/\s+#.*$/, '').trim())
    const settings = Object.fromEntries(
      lines
        .filter(Boolean)
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    const keys = new Set(configurationKeys.map(({ name }) => name))
    expect(Object.keys(settings).filter((key) => !keys.has(key))).toEqual([])
    expect(() => readConfig(settings, 'a-host')).not.toThrow()
  },
)

test.each(withLanguage('expression').map((block) => [placeOf(block), block] as const))(
  'the expressions of %s can be read',
  (_, { text }) => {
    for (const line of text.trim().split('\n'))
      expect(parseExpression(line), line).toMatchObject({ ok: true })
  },
)

test('every npm script that is named exists, with the options that are named', () => {
  const inSentences = pages.flatMap((page) => inlineCodeIn(read(page)).map((code) => ({ page, code })))
  const inBlocks = withLanguage('sh').flatMap(({ page, text }) =>
    text
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => ({ page, code: withoutComment(line) })),
  )
  const commands = [...inSentences, ...inBlocks].filter(({ code }) => /^npm /.test(code))
  expect(commands.length).toBeGreaterThan(30)
  const problems = commands.flatMap(({ page, code }) => {
    const problem = problemWith(code)
    return problem === undefined ? [] : [`${page}: ${code}: ${problem}`]
  })
  expect(problems).toEqual([])
  // An exception is for a command that stands somewhere.
  const written = new Set(inBlocks.map(({ code }) => code))
  expect(Object.keys(notRun).filter((command) => !written.has(command))).toEqual([])
})

/** Answered by the router, or on the port of the metrics: not in the contract of the server. */
const otherCalls = ['GET /health/router', 'GET /metrics']

test('every call that is named is in the contract', () => {
  const calls = pages.flatMap((page) =>
    inlineCodeIn(read(page)).flatMap((code) => {
      const [call, method = '', path = ''] = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s?]*)/.exec(code) ?? []
      return call === undefined ? [] : [{ page, call, method, path }]
    }),
  )
  expect(calls.length).toBeGreaterThan(10)
  const unknown = calls.filter(({ method, path, call }) => {
    const isKnown = allRoutes.some((route) => route.method === method && isAt(route.path, path))
    return !isKnown && !otherCalls.includes(call)
  })
  expect(unknown.map(({ page, call }) => `${page}: ${call}`)).toEqual([])
})

/** `$ID`, `<id>`, `{id}` and `…` stand for a value; the rest is written out. */
function isAt(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every(
      (part, index) => part === given[index] || (/^[:{]/.test(part) && /^[$<{…:]/.test(given[index] ?? '')),
    )
  )
}
