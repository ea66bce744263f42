import { isEmailUser, limits, type Share, type ShareAccess } from '@atrium/contract'
import { texts } from '../../text/console.ts'
import { subjectOf } from '../session/development-person.ts'

const maxCharacters = 255

export const accessChoices = (): { value: ShareAccess; label: string }[] =>
  (['view', 'edit'] as const).map((value) => ({ value, label: texts().sharing.accessChoices[value] }))

/** The choice behind the value of a field. */
export const accessNamed = (value: string): ShareAccess => (value === 'edit' ? 'edit' : 'view')

/** As the platform compares them: upper and lower case are the same in an e-mail address. */
const keyOf = (user: string): string => (isEmailUser(user) ? user.toLowerCase() : user)

/** The user that the field names. Without a provider, people are identified by the name they sign in with. */
export function userNamed(written: string, isDevelopment: boolean): string {
  const user = written.trim()
  return isDevelopment && user !== '' && !isEmailUser(user) ? subjectOf(user) : user
}

/** Why somebody cannot be added; undefined if they can. */
export function problemWith(user: string, shares: readonly Share[]): string | undefined {
  const { problems } = texts().sharing
  if (user === '') return problems.missing
  if (user.length > maxCharacters) return problems.tooLong(maxCharacters)
  if (isEmailUser(user) && !/^[^\s@]+@[^\s@]+$/.test(user)) return problems.noEmail
  if (shares.some((share) => keyOf(share.user) === keyOf(user))) return problems.known
  return shares.length < limits.sharesPerExperiment ? undefined : problems.full(limits.sharesPerExperiment)
}

export const withAccess = (shares: readonly Share[], changed: Share): Share[] =>
  shares.map((share) => (share.user === changed.user ? changed : share))

export const without = (shares: readonly Share[], user: string): Share[] =>
  shares.filter((share) => share.user !== user)
