// Every command and snippet in the documentation works. CONTRIBUTING.md explains how to mark blocks.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, type Server, startServer } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configurationKeys, readConfig } from '../apps/server/src/config.ts'
import { parseExpression } from '../apps/server/src/modules/flow/index.ts'
import { type Block, blocksIn, isKnown, isShownBy, knownKinds, placeOf, readPages } from './docs-blocks.ts'
import { readerOf } from './docs-definitions.ts'
import { environmentOf, furnish, runBlocks } from './docs-shell.ts'

const pages = readPages()
const withLanguage = (language: string) =>
  pages.flatMap(({ blocks }) => blocks).filter((block) => block.language === language)
const pagesWith = (language: string) =>
  pages.filter(({ blocks }) => blocks.some((block) => block.language === language))

test('every block is of a known kind', () => {
  const unknown = pages.flatMap(({ blocks }) => blocks).filter((block) => !isKnown(block))
  expect(unknown.map(placeOf), `a block is one of: ${knownKinds.join(', ')}`).toEqual([])
  const other = blocksIn('a page', '```\nls\n```\n- ```python\n  print()\n  ```\n```json answer\n{}\n```\n')
  expect(other.filter(isKnown)).toEqual([])
  expect(other.map(placeOf)).toEqual(['a page:1', 'a page:4', 'a page:7'])
})

/** Several programs run one after another, possibly on a busy machine. */
const longMs = 600_000

describe('the commands of', () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server?.stop())

  /** Follows a page as a reader would, in a folder of its own. */
  async function follow(blocks: Block[]): Promise<Map<number, string>> {
    const folder = createTemporaryFolder('docs')
    furnish(folder.path)
    for (const [name, content] of readerOf(blocks).files) writeFileSync(join(folder.path, name), content)
    const commands = blocks
      .filter(({ language }) => language === 'sh')
      .map((block) => ({ ...block, text: block.text.replaceAll('http://127.0.0.1:3000', server.http) }))
    return await runBlocks(commands, folder.path, environmentOf(server.http)).finally(folder.remove)
  }

  test.each(pagesWith('sh'))(
    '$name work, one after another',
    async ({ blocks }) => {
      const outputs = await follow(blocks)
      for (const shown of blocks.filter(({ note }) => note === 'output'))
        expectShown(shown, [...outputs].findLast(([line]) => line < shown.line)?.[1] ?? '')
    },
    longMs,
  )

  test('an incorrect page fail, and are named', async () => {
    const wrong = (text: string) => follow(blocksIn('a page', `\`\`\`sh\n${text}\n\`\`\`\n`))
    await expect(wrong('curl -fsS $NOWHERE/health/live')).rejects.toThrow(
      /^a page:1 ended with \d+:[\s\S]*NOWHERE/,
    )
    await expect(wrong('npm run dry-run -- nowhere.json  # a comment')).rejects.toThrow('cannot be read')
    await expect(wrong('npm run dry-run -- examples/negotiation.json \\\n  --peeple 3')).rejects.toThrow(
      '--peeple',
    )
  })
})

function expectShown(shown: Block, output: string): void {
  const answers = output.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)]
    } catch {
      return [] // Text for people.
    }
  })
  const wanted = JSON.parse(shown.text)
  const isThere = answers.some((real) => isShownBy(wanted, real))
  expect(isThere, `${placeOf(shown)} is not what was printed:\n${output}`).toBe(true)
}

test('a response shown on a page may omit fields and parts of text, but nothing else', () => {
  const real = { http: 'http://127.0.0.1:40123', id: 'exp_1', issues: [{ path: '/a', message: 'x' }] }
  expect(isShownBy({ http: 'http://127.0.0.1:3000', id: 'exp_…', issues: [{ path: '/a' }] }, real)).toBe(true)
  for (const wrong of [{ id: 'ses_…' }, { no: 1 }, { issues: [] }, { issues: [{ path: '/b' }] }, [real]])
    expect(isShownBy(wrong, real)).toBe(false)
})

test.each(pagesWith('json'))('the definitions in $name can be saved without warnings', ({ blocks }) => {
  expect(readerOf(blocks).problems).toEqual([])
})

test('an invalid definition on a page is named', () => {
  const problemsOf = (json: string) => readerOf(blocksIn('a page', `\`\`\`json\n${json}\n\`\`\`\n`)).problems
  expect(problemsOf('{ "name": "x" }')).toEqual([
    expect.stringContaining('a page:1: Error: not a definition'),
  ])
  expect(problemsOf('"capacity": 0')).toEqual([expect.stringContaining('/capacity')])
  expect(problemsOf('"capacity": 1')).toEqual([])
})

test.each(withLanguage('env'))('the settings in $page:$line are accepted', ({ text }) => {
  const lines = text.split('\n').map((line) => line.replace(/\s+#.*$/, '').trim())
  const settings = Object.fromEntries(
    lines
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const keys = new Set(configurationKeys.map(({ name }) => name))
  expect(Object.keys(settings).filter((key) => !keys.has(key))).toEqual([])
  expect(() => readConfig(settings, 'a-host')).not.toThrow()
})

test.each(withLanguage('expression'))('the expressions in $page:$line can be parsed', ({ text }) => {
  for (const line of text.trim().split('\n')) expect(parseExpression(line), line).toMatchObject({ ok: true })
})
