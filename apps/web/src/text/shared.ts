import { shared as en } from './en/shared.ts'
import { inPageLanguage } from './language.ts'

type SharedTexts = typeof en

export const sharedCatalogues: Record<string, SharedTexts> & { en: SharedTexts } = { en }

/** The texts of the code that both pages share. */
export const texts = (): SharedTexts => inPageLanguage(sharedCatalogues)
