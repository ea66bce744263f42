// What the documentation shows works. CONTRIBUTING.md explains how to mark blocks.
import { expect, test } from 'vitest'
import { readConfig } from '../apps/server/src/config/config.ts'
import { configurationKeys } from '../apps/server/src/config/server-keys.ts'
import { parseExpression } from '../packages/expressions/src/index.ts'
import { blocksIn, isKnown, isShownBy, knownKinds, placeOf, readPages } from './docs-blocks.ts'
import { readerOf } from './docs-definitions.ts'
import { describeCommands, firstPage } from './test/docs-pages.ts'

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

describeCommands(
  ({ name }) => name === firstPage,
  (follow) => {
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
  },
)

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
