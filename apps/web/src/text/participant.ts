import { pages } from './en/participant-pages.ts'
import { tasks } from './en/participant-tasks.ts'
import { views } from './en/participant-views.ts'
import { inPageLanguage } from './language.ts'

const en = { ...pages, views, tasks }
type ParticipantTexts = typeof en

/** Everything that participants read and hear, apart from what the study itself says. */
export const texts = (): ParticipantTexts => inPageLanguage<ParticipantTexts>({ en })
