import { afterEach, expect, test, vi } from 'vitest'
import { inPageLanguage } from './language.ts'

afterEach(() => void vi.unstubAllGlobals())

const catalogues = { en: { send: 'Send' }, de: { send: 'Senden' } }

test.each([
  ['de', 'Senden'],
  ['en', 'Send'],
  ['fr', 'Send'],
  ['', 'Send'],
  ['constructor', 'Send'],
])('a page in “%s” says “%s”', (lang, expected) => {
  vi.stubGlobal('document', { documentElement: { lang } })
  expect(inPageLanguage(catalogues).send).toBe(expected)
})
