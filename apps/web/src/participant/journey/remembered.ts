import type { StudyBranding } from '../frame/study-branding.ts'
import { inThisPane } from '../pane.ts'

/** What this browser remembers across reloads. Never the session, which is kept in memory only. */

/** Storage may be full or forbidden; the study works without it. */
export function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

const experimentKey = (roomId: string) => `atrium.experiment-of.${roomId}`

/** For the room page that the contract defines, whose address does not name the experiment. */
export const rememberExperiment = (roomId: string, experimentId: string): void =>
  tryStorage(() => localStorage.setItem(experimentKey(roomId), experimentId))

export const experimentOf = (roomId: string): string | null =>
  tryStorage(() => localStorage.getItem(experimentKey(roomId))) ?? null

const brandingKey = (experimentId: string) => `atrium.face.${experimentId}`

/** So that the page has its name and colours at once, and after the end as well, when nobody can join again. */
export const rememberBranding = (experimentId: string, branding: StudyBranding): void =>
  tryStorage(() => localStorage.setItem(brandingKey(experimentId), JSON.stringify(branding)))

export function brandingOf(experimentId: string): StudyBranding | null {
  const stored: unknown = tryStorage(() =>
    JSON.parse(localStorage.getItem(brandingKey(experimentId)) ?? 'null'),
  )
  return typeof stored === 'object' && stored !== null && 'name' in stored ? (stored as StudyBranding) : null
}

const stoppedKey = (experimentId: string) => inThisPane(`atrium.stopped-waiting.${experimentId}`)

/** Whoever stopped waiting has not completed anything: without this, a reload would put them into the queue again. */
export const rememberStopped = (experimentId: string): void =>
  tryStorage(() => sessionStorage.setItem(stoppedKey(experimentId), 'yes'))

export const hasStopped = (experimentId: string): boolean =>
  tryStorage(() => sessionStorage.getItem(stoppedKey(experimentId))) === 'yes'

export const forgetStopped = (experimentId: string): void =>
  tryStorage(() => sessionStorage.removeItem(stoppedKey(experimentId)))

const languageKey = (experimentId: string) => `atrium.language.${experimentId}`

export const rememberLanguage = (experimentId: string, language: string): void =>
  tryStorage(() => localStorage.setItem(languageKey(experimentId), language))

export const spokenIn = (experimentId: string): string | null =>
  tryStorage(() => localStorage.getItem(languageKey(experimentId))) ?? null

const accountKey = (experimentId: string) => `atrium.account.${experimentId}`

/** People who began with an account continue with it, even from a link that does not ask for one. */
export const rememberAccount = (experimentId: string): void =>
  tryStorage(() => localStorage.setItem(accountKey(experimentId), 'used'))

export const hasUsedAccount = (experimentId: string): boolean =>
  tryStorage(() => localStorage.getItem(accountKey(experimentId))) === 'used'

const visitorKey = 'atrium.visitor'

/** Recognises the same person in the same browser where no recruiting site identifies them. */
export function visitorOfThisBrowser(): string {
  const known = tryStorage(() => localStorage.getItem(visitorKey))
  if (known) return known
  const drawn = `visitor:${[...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('')}`
  tryStorage(() => localStorage.setItem(visitorKey, drawn))
  return drawn
}
