// Everything that the documentation names exists.

import { expect, test } from 'vitest'
import { allRoutes } from '../packages/contract/src/index.ts'
import { readPages } from './docs-blocks.ts'
import { notRun, problemWith } from './docs-commands.ts'
import { commandsIn } from './docs-shell.ts'

const pages = readPages()
const inSentences = pages.flatMap(({ name, inlineCode }) => inlineCode.map((code) => ({ name, code })))
const inBlocks = pages.flatMap(({ name, blocks }) =>
  blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => commandsIn(text).map((code) => ({ name, code }))),
)

test('every command exists, with the given options', () => {
  const commands = [...inSentences, ...inBlocks].filter(({ code }) =>
    /^(?:npm|npx|node|sqlite3|curl) /.test(code),
  )
  expect(commands.length).toBeGreaterThan(30)
  const problems = commands.flatMap(({ name, code }) => {
    const problem = problemWith(code)
    return problem === undefined ? [] : [`${name}: ${code}: ${problem}`]
  })
  expect(problems).toEqual([])
  expect(problemWith('npm run no-such-thing')).toContain('no-such-thing')
  expect(problemWith('npm run simulate -- x --speeed 3')).toContain('--speeed')
  expect(problemWith('node scripts/nowhere.mjs')).toContain('nowhere')
})

test('every exception is for a command in the documentation', () => {
  const written = new Set([...inSentences, ...inBlocks].map(({ code }) => code))
  expect(Object.keys(notRun).filter((command) => !written.has(command))).toEqual([])
})

/** Served by the router, on the metrics port or by a model server, and so not in the contract of the server. */
const otherCalls = [
  'GET /health/router',
  'GET /metrics',
  'GET /models',
  'GET /v1/models',
  'GET /v1/models/<id>',
]

test('every call is in the contract', () => {
  const calls = inSentences.flatMap(({ name, code }) => {
    const [call, method = '', path = ''] = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s?]*)/.exec(code) ?? []
    return call === undefined ? [] : [{ name, call, method, path }]
  })
  expect(calls.length).toBeGreaterThan(10)
  const unknown = calls.filter(({ method, path, call }) => {
    const isThere = allRoutes.some((route) => route.method === method && isAt(route.path, path))
    return !isThere && !otherCalls.includes(call)
  })
  expect(unknown.map(({ name, call }) => `${name}: ${call}`)).toEqual([])
})

/** `$ID`, `<id>`, `{id}` and `…` stand for a value; everything else must match exactly. */
function isAt(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => {
      const said = given[index] ?? ''
      return part === said || (/^[:{]/.test(part) && /^[$<{…:]/.test(said))
    })
  )
}
