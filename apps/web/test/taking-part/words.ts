import { furtherLanguages, texts } from '../../src/text/participant.ts'

export type Words = ReturnType<typeof texts>

export type Language = 'en' | keyof typeof furtherLanguages

/** Every language that participants' pages have. */
export const languages = ['en', ...Object.keys(furtherLanguages)] as readonly Language[]

/** What the pages say in a language. */
export async function wordsIn(language: Language): Promise<Words> {
  if (language === 'en') return texts()
  const { pages, views, frame, tasks } = await furtherLanguages[language]()
  return { ...pages, views, frame, tasks }
}
