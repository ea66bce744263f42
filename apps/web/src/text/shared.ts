import { shared as en } from './en/shared.ts'
import { inPageLanguage } from './language.ts'

type SharedTexts = typeof en

/** What the code that both pages share has to say. */
export const texts = (): SharedTexts => inPageLanguage<SharedTexts>({ en })
