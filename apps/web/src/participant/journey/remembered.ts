/** What a page must know again after a reload. Never the session: that is in memory only. */

/** Storage may be full or forbidden; a study goes on without memory. */
function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

const experimentKey = (roomId: string) => `atrium.experiment-of.${roomId}`

/** For the contract’s page of a room, whose address does not name the experiment. */
export const rememberExperiment = (roomId: string, experimentId: string): void =>
  attempt(() => localStorage.setItem(experimentKey(roomId), experimentId)) ?? undefined

export const experimentOf = (roomId: string): string | null =>
  attempt(() => localStorage.getItem(experimentKey(roomId))) ?? null

const accountKey = (experimentId: string) => `atrium.account.${experimentId}`

/** Whoever began with an account goes on with it, also by a link that does not say so. */
export const rememberAccount = (experimentId: string): void =>
  attempt(() => localStorage.setItem(accountKey(experimentId), 'used')) ?? undefined

export const hasUsedAccount = (experimentId: string): boolean =>
  attempt(() => localStorage.getItem(accountKey(experimentId))) === 'used'

const visitorKey = 'atrium.visitor'

/** The same person in the same browser, where nobody else says who they are. */
export function visitorOfThisBrowser(): string {
  const known = attempt(() => localStorage.getItem(visitorKey))
  if (known) return known
  const drawn = `visitor:${[...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('')}`
  attempt(() => localStorage.setItem(visitorKey, drawn))
  return drawn
}
