import { NoAnswer, RoomRefused } from '@atrium/client'
import { afterEach, expect, test, vi } from 'vitest'
import { refusalText, refusalTextOf } from '../participant/refusal-text.ts'
import { directionOf, inPageLanguage, pageLocale } from './language.ts'
import { speak, texts } from './participant.ts'

afterEach(() => void vi.unstubAllGlobals())

const catalogues = { en: { send: 'Send' }, de: { send: 'Senden' } }

const pageIn = (lang: string, languages: readonly string[] = []) => {
  const documentElement = { lang, dir: '' }
  vi.stubGlobal('document', { documentElement })
  vi.stubGlobal('navigator', { languages })
  return documentElement
}

test.each([
  ['de', 'Senden'],
  ['de-AT', 'Senden'],
  ['en', 'Send'],
  ['fr', 'Send'],
  ['', 'Send'],
  ['constructor', 'Send'],
])('a page in “%s” says “%s”', (lang, expected) => {
  pageIn(lang)
  expect(inPageLanguage(catalogues).send).toBe(expected)
})

test.each([
  ['en', ['de', 'en-IN'], 1234567, '12,34,567'],
  ['de', ['en-US'], 1234.5, '1.234,5'],
  ['en', ['de-DE'], 1234.5, '1,234.5'],
  ['ar', ['ar-EG'], 12, '12'],
])('numbers on a page in “%s” for a reader with %j: %d is %s', (lang, languages, value, text) => {
  pageIn(lang, languages)
  expect(new Intl.NumberFormat(pageLocale()).format(value)).toBe(text)
})

test('a page that speaks another language has its texts, its language and its direction', async () => {
  const page = pageIn('en')
  expect(texts().loading).toBe('Loading …')
  await speak('ar')
  expect(page).toEqual({ lang: 'ar', dir: 'rtl' })
  expect(texts().state.continue).toBe('متابعة')
  await speak('de')
  expect(page).toEqual({ lang: 'de', dir: 'ltr' })
  expect(texts().state.continue).toBe('Weiter')
})

test('a study in a language without a catalogue has English around it', async () => {
  const page = pageIn('en')
  await speak('fa')
  expect(page).toEqual({ lang: 'fa', dir: 'rtl' })
  expect(texts().state.continue).toBe('Continue')
  expect(directionOf('fr-CA')).toBe('ltr')
})

test('Arabic has six forms for a number', async () => {
  pageIn('en')
  await speak('ar')
  const { attemptsLeft } = texts().views.check
  const forms = [0, 1, 2, 3, 11, 100].map(attemptsLeft)
  expect(forms[1]).toBe('بقيت لديك محاولة واحدة.')
  expect(forms[3]).toBe('بقيت لديك 3 محاولات.')
  expect(new Set([0, 1, 2, 3, 11, 100].map(texts().studies.placesLeft)).size).toBe(6)
})

test('a refusal is told in the page’s language', async () => {
  pageIn('en')
  expect(refusalText('ROOM_PAUSED', 'The room is paused.')).toBe('The room is paused.')
  await speak('de')
  expect(refusalText('ROOM_PAUSED', 'The room is paused.')).toBe('Die Studie ist gerade angehalten.')
  expect(refusalText('SOMETHING_ELSE', 'Something else.')).toBe(texts().problems.notSent)
})

test('a failure of the connection or of the page is told in words, not as the browser puts it', () => {
  pageIn('en')
  const ofConnection = new NoAnswer('POST /api/v4/participant/files/:componentId: Failed to fetch')
  expect(refusalTextOf(ofConnection)).toBe('Please check your connection. Nothing has been lost.')
  expect(refusalTextOf(new TypeError('x is undefined'))).toBe(texts().problems.notSent)
  expect(refusalTextOf(new RoomRefused('ROOM_PAUSED', 'The room is paused.'))).toBe('The room is paused.')
})
