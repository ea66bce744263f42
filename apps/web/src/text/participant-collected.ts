import { collected as ar } from './ar/participant-collected.ts'
import { collected as de } from './de/participant-collected.ts'
import { collected as en } from './en/participant-collected.ts'
import { inPageLanguage } from './language.ts'

type CollectedTexts = typeof en

/** All at once: they are loaded only for the few studies that need them, and short. */
export const collectedCatalogues: Record<string, CollectedTexts> & { en: CollectedTexts } = { en, de, ar }

export const texts = (): CollectedTexts => inPageLanguage(collectedCatalogues)
