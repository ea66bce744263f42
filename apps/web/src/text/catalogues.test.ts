import { expect, test } from 'vitest'
import { frame } from './en/participant-frame.ts'
import { pages } from './en/participant-pages.ts'
import { tasks } from './en/participant-tasks.ts'
import { views } from './en/participant-views.ts'
import { shared } from './en/shared.ts'
import { furtherLanguages } from './participant.ts'
import { collectedCatalogues } from './participant-collected.ts'
import { fileCatalogues } from './participant-files.ts'
import { surveyCatalogues } from './participant-survey.ts'

type Entry = string | ((...parts: never[]) => string) | null | { [name: string]: Entry }

/** Every text by its path, as it reads for some values. Functions are called: a translation must not fail either. */
function textsIn(entry: Entry, path: string, count: number): [path: string, text: string][] {
  if (entry === null) return []
  if (typeof entry === 'string') return [[path, entry]]
  if (typeof entry === 'function') return [[path, spoken(entry, path, count)]]
  return Object.entries(entry).flatMap(([name, child]) => textsIn(child, `${path}/${name}`, count))
}

/** Texts take numbers, apart from these. */
const otherParts: Record<string, unknown[]> = {
  '/pages/room/away': [['P1', 'P2']],
  '/pages/room/dropped': [['P1', 'P2']],
  '/pages/room/gone': [['P1', 'P2']],
  '/pages/room/seated': [['P1', 'P2']],
  '/frame/remaining': ['3:20'],
  '/frame/waitingRoom/estimate': ['3:20'],
  '/frame/waitingRoom/longEnd': ['3:20'],
  '/frame/waitingRoom/longStart': ['3:20'],
  '/pages/finishing/slow': ['why'],
  '/tasks/date/between': ['1900-01-01', '2026-05-17'],
  '/tasks/date/from': ['1900-01-01'],
  '/tasks/date/upTo': ['2026-05-17'],
  '/tasks/files/stored': ['desk.jpg', 204_800],
  '/tasks/files/upTo': ['2:00'],
  '/tasks/reaction/explain': [2, ['F', 'J']],
  '/pages/stopped/notCompleted/message': ['why'],
}

function spoken(text: (...parts: never[]) => string, path: string, count: number): string {
  const isAboutMedia = path.startsWith('/views/media/') && !path.includes('loading')
  const parts = otherParts[path] ?? (isAboutMedia ? ['video', 'upload'] : [count, count + 1, count + 2])
  return text(...(parts as never[]))
}

/** Not for people, or the same in both languages. */
const sameInBoth = ['/pages/refusals', '/views/media/label/', '/views/chat/title', '/frame/product']

const catalogue = (parts: object) => parts as { [name: string]: Entry }
const english = catalogue({
  ...{ pages, views, frame, tasks, shared },
  ...{ collected: collectedCatalogues.en, survey: surveyCatalogues.en, files: fileCatalogues.en },
})

test.each(Object.entries(furtherLanguages))('no text is missing in “%s”', async (language, load) => {
  const { pages, views, frame, tasks, shared } = await load()
  const collected = collectedCatalogues[language] ?? {}
  const survey = surveyCatalogues[language] ?? {}
  const files = fileCatalogues[language] ?? {}
  const translated = catalogue({ pages, views, frame, tasks, shared, collected, survey, files })
  for (const count of [0, 1, 2, 3, 11, 100]) {
    const inEnglish = new Map(textsIn(english, '', count))
    const found = new Map(textsIn(translated, '', count))
    const without = (path: string) => !path.startsWith('/pages/refusals')
    expect([...found.keys()].filter(without)).toEqual([...inEnglish.keys()])
    for (const [path, text] of found) {
      expect(text, path).not.toMatch(/^\s*$|undefined|NaN|\[object/)
      if (!sameInBoth.some((same) => path.startsWith(same)) && /\p{L}/u.test(text))
        expect(text, `${path} is not translated`).not.toBe(inEnglish.get(path))
    }
  }
})

test('the test finds a text that is missing or was not translated', () => {
  const paths = (entry: Entry) => textsIn(entry, '', 1).map(([path]) => path)
  expect(paths({ send: 'Senden' })).not.toEqual(paths({ send: 'Send', you: 'You' }))
  expect(paths({ left: (count: number) => `${count}` })).toEqual(['/left'])
})
