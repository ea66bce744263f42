/** What this browser remembers across reloads. Never the session, which is kept in memory only. */

/** Storage may be full or forbidden; the study works without it. */
function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

const experimentKey = (roomId: string) => `atrium.experiment-of.${roomId}`

/** For the room page that the contract defines, whose address does not name the experiment. */
export const rememberExperiment = (roomId: string, experimentId: string): void =>
  tryStorage(() => localStorage.setItem(experimentKey(roomId), experimentId)) ?? undefined

export const experimentOf = (roomId: string): string | null =>
  tryStorage(() => localStorage.getItem(experimentKey(roomId))) ?? null

const accountKey = (experimentId: string) => `atrium.account.${experimentId}`

/** People who began with an account continue with it, even from a link that does not ask for one. */
export const rememberAccount = (experimentId: string): void =>
  tryStorage(() => localStorage.setItem(accountKey(experimentId), 'used')) ?? undefined

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
