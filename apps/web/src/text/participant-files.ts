import { files as ar } from './ar/participant-files.ts'
import { files as de } from './de/participant-files.ts'
import { files as en } from './en/participant-files.ts'
import { inPageLanguage } from './language.ts'

type FileTexts = typeof en

/** All at once: they come with the code that loads pictures and sounds, which most studies do not use, and are short. */
export const fileCatalogues: Record<string, FileTexts> & { en: FileTexts } = { en, de, ar }

export const texts = (): FileTexts => inPageLanguage(fileCatalogues)
