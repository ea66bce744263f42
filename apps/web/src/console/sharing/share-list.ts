import { isEmailUser, limits, type Share } from '@atrium/contract'

/** As the platform compares them: capital letters of an e-mail address make no difference. */
const keyOf = (user: string): string => (isEmailUser(user) ? user.toLowerCase() : user)

/** Why somebody cannot be added; undefined when they can. */
export function problemWith(user: string, shares: readonly Share[]): string | undefined {
  if (user === '') return 'Please say who.'
  if (user.length > 255) return 'This is too long: 255 characters at most.'
  if (isEmailUser(user) && !/^[^\s@]+@[^\s@]+$/.test(user)) return 'This is not an e-mail address.'
  if (shares.some((share) => keyOf(share.user) === keyOf(user))) return 'They are in the list already.'
  return shares.length < limits.sharesPerExperiment
    ? undefined
    : `At most ${limits.sharesPerExperiment} people: remove somebody first.`
}

export const withAccess = (shares: readonly Share[], changed: Share): Share[] =>
  shares.map((share) => (share.user === changed.user ? changed : share))

export const without = (shares: readonly Share[], user: string): Share[] =>
  shares.filter((share) => share.user !== user)
