import { accentGrounds, accentIn, contrastOf } from '@atrium/contract'
import { expect, test } from 'vitest'
import { appearanceWarnings, checkAppearance } from './check-appearance.ts'
import { checkDefinition } from './check-definition.ts'

test.each(['#000000', '#ffffff', '#ffe600', '#0b6e4f', '#c2185b', '#777777', '#1F3F7A'])(
  'an accent of %s can be read in both schemes, and so can the text on it',
  (chosen) => {
    for (const scheme of ['light', 'dark'] as const) {
      const { accent, onAccent, wash } = accentIn(scheme, chosen)
      for (const ground of accentGrounds[scheme].grounds)
        expect(contrastOf(accent, ground)).toBeGreaterThanOrEqual(7)
      expect(contrastOf(accent, onAccent)).toBeGreaterThanOrEqual(7)
      expect(contrastOf(accent, wash)).toBeGreaterThanOrEqual(4.5)
    }
  },
)

test('an accent that can be read stays as it is, and one that cannot is announced with what will be shown', () => {
  expect(appearanceWarnings({ appearance: { accent: '#1F3F7A' } })).toEqual([])
  const [warning] = appearanceWarnings({ appearance: { accent: '#ffe600' } })
  expect(warning?.path).toBe('/appearance/accent')
  expect(warning?.message).toContain(accentIn('light', '#ffe600').accent)
})

test.each([
  ['https://lab.example/logo.svg', true],
  ['/examples/logo.svg', true],
  ['http://lab.example/logo.svg', false],
  ['//lab.example/logo.svg', false],
  ['/\\lab.example/logo.svg', false],
  ['javascript:alert(1)', false],
  ['data:image/svg+xml,<svg/>', false],
  ['logo.svg', false],
])('a logo at %s is accepted: %s', (logo, isAccepted) => {
  expect(checkAppearance({ appearance: { logo } }).length === 0).toBe(isAccepted)
})

test('a definition with a logo that leads elsewhere is not saved', () => {
  const definition = { name: 'x', states: [{ id: 'only', components: [] }] }
  const issues = checkDefinition({ ...definition, appearance: { logo: 'javascript:alert(1)' } })
  expect(issues.map(({ path }) => path)).toEqual(['/appearance/logo'])
})
