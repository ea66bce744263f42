import { expect, test } from 'vitest'
import { preferredLanguage } from './languages.ts'

test.each([
  [['en', 'de'], ['de-AT', 'en'], 'de'],
  [['en', 'de'], ['fr', 'DE'], 'de'],
  [['pt-PT', 'pt-BR'], ['pt-BR'], 'pt-BR'],
  [['pt-PT', 'pt-BR'], ['pt'], 'pt-PT'],
  [['de', 'en'], ['fr'], 'de'],
  [['de'], [], 'de'],
  [[], ['de'], 'en'],
])('of %j, a reader who wants %j gets %s', (offered, wanted, language) => {
  expect(preferredLanguage(offered, wanted)).toBe(language)
})
