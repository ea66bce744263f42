import { preferredLanguage } from '@atrium/contract'
import { frame } from './en/participant-frame.ts'
import { pages } from './en/participant-pages.ts'
import { tasks } from './en/participant-tasks.ts'
import { views } from './en/participant-views.ts'
import { directionOf, inPageLanguage } from './language.ts'
import { sharedCatalogues } from './shared.ts'

export { pageLocale } from './language.ts'

const en = { ...pages, views, frame, tasks }
type ParticipantTexts = typeof en

const catalogues: Record<string, ParticipantTexts> & { en: ParticipantTexts } = { en }

/** Everything that participants read and hear, apart from what the study itself says. */
export const texts = (): ParticipantTexts => inPageLanguage(catalogues)

/** Loaded when a page needs them: most pages are in English, which is part of the page. */
export const furtherLanguages = {
  de: () => import('./de/participant.ts'),
  ar: () => import('./ar/participant.ts'),
}

/** The page speaks this language from the next render on. A language without a catalogue gets English around its study. */
export async function speak(language: string): Promise<void> {
  const primary = language.split('-')[0] ?? ''
  if (isFurther(primary))
    try {
      const { pages, views, frame, tasks, shared } = await furtherLanguages[primary]()
      catalogues[primary] = { ...pages, views, frame, tasks }
      sharedCatalogues[primary] = shared
    } catch {
      // The connection failed just now. English buttons are better than no study.
    }
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

const isFurther = (language: string): language is keyof typeof furtherLanguages =>
  Object.hasOwn(furtherLanguages, language)

/** The page’s language where no study decides it: what the browser prefers among those that we have. */
export const speakAsBrowser = (): Promise<void> =>
  speak(preferredLanguage(['en', ...Object.keys(furtherLanguages)], navigator.languages ?? []))
