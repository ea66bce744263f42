import { expect, test } from 'vitest'
import { licenceProblems } from './allowed-licences.ts'

const problemsWith = (entry: object, excepted = {}) =>
  licenceProblems({ '': {}, 'node_modules/a/node_modules/@b/c': entry }, excepted)

test.each(['MIT', '(MIT OR GPL-3.0-only)', 'GPL-3.0-only OR Apache-2.0', 'MIT AND ISC'])(
  '%s is allowed',
  (license) => {
    expect(problemsWith({ license })).toEqual([])
  },
)

test.each(['GPL-3.0-only', 'AGPL-3.0', 'MIT AND GPL-2.0', 'UNLICENSED', 'SEE LICENSE IN x', ''])(
  '%j is not',
  (license) => {
    expect(problemsWith({ license })).toEqual([`@b/c: ${license} is not on the list`])
    expect(problemsWith({ license }, { '@b/c': 'with a reason' })).toEqual([])
  },
)

test('a package must have a licence, and an exception a use', () => {
  expect(problemsWith({})).toEqual(['@b/c: no licence is not on the list'])
  expect(problemsWith({ license: 'MIT' }, { '@b/c': 'with a reason' })).toEqual([
    '@b/c: the exception is not needed any more',
  ])
})

test('a binary for one platform has the licence of the package that it belongs to', () => {
  const binary = { 'node_modules/tool-win32': { optional: true } }
  const tool = (license: string) => ({
    'node_modules/tool': { license, optionalDependencies: { 'tool-win32': '1' } },
    ...binary,
  })
  expect(licenceProblems(tool('MIT'), {})).toEqual([])
  expect(licenceProblems(tool('GPL-3.0'), {})).toEqual(['tool: GPL-3.0 is not on the list'])
  expect(licenceProblems(binary, {})).toEqual(['tool-win32: no licence is not on the list'])
})
