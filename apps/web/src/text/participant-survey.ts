import { survey as ar } from './ar/participant-survey.ts'
import { survey as de } from './de/participant-survey.ts'
import { survey as en } from './en/participant-survey.ts'
import { inPageLanguage } from './language.ts'

type SurveyTexts = typeof en

/** All at once: they come with the views of these questions, which most studies do not use, and are short. */
export const surveyCatalogues: Record<string, SurveyTexts> & { en: SurveyTexts } = { en, de, ar }

export const texts = (): SurveyTexts => inPageLanguage(surveyCatalogues)
