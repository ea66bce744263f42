import { expect, test } from 'vitest'
import { formatDefinition, locateFindings, readText } from './check-text.ts'

const state = { id: 's1', components: [] }

test('a syntax error has a line and a column', () => {
  expect(readText('{\n  "name": "x"\n  "states": []\n}')).toMatchObject({
    isJson: false,
    findings: [{ level: 'error', line: 3, column: 3 }],
  })
})

test('what refers to nothing has an outline all the same; what is no definition has none', () => {
  const definition = { name: 'x', states: [{ ...state, next: [{ to: 'gone' }] }] }
  expect(readText(formatDefinition(definition))).toEqual({
    isJson: true,
    value: definition,
    outlined: definition,
  })
  const half = { name: 'x' }
  expect(readText(formatDefinition(half))).toEqual({ isJson: true, value: half, outlined: undefined })
})

test('findings of the platform are shown at their place', () => {
  const text = formatDefinition({ name: 'x', states: [state] })
  expect(locateFindings(text, [{ level: 'error', path: '/states/0/id', message: 'no' }])).toMatchObject([
    { level: 'error', line: 5, message: 'no' },
  ])
  expect(locateFindings('{', [{ level: 'warning', path: '/a', message: 'no' }])).toMatchObject([
    { line: 1, column: 1 },
  ])
})
