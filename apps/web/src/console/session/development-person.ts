import type { DevelopmentPerson } from '../../identity/development.ts'

export const developmentRoles = ['researcher', 'admin'] as const
type DevelopmentRole = (typeof developmentRoles)[number]

/** The person of the sign-in form, stored so that a reload does not ask again. */
export interface RememberedPerson {
  name: string
  role: DevelopmentRole
}

const key = 'atrium.console.person'
type PersonStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function recallPerson(storage: PersonStorage): RememberedPerson | undefined {
  try {
    return parsePerson(JSON.parse(storage.getItem(key) ?? 'null'))
  } catch {
    return undefined // Written by another version or by hand: ask again.
  }
}

export const rememberPerson = (storage: PersonStorage, person: RememberedPerson): void =>
  storage.setItem(key, JSON.stringify(person))

export const forgetPerson = (storage: PersonStorage): void => storage.removeItem(key)

function parsePerson(kept: unknown): RememberedPerson | undefined {
  if (typeof kept !== 'object' || kept === null || !('name' in kept) || !('role' in kept)) return undefined
  const role = developmentRoles.find((each) => each === kept.role)
  return typeof kept.name === 'string' && kept.name.trim() !== '' && role
    ? { name: kept.name, role }
    : undefined
}

const prefix = 'console:'

/** The subject for a name; a subject is returned as it is. */
export function subjectOf(name: string): string {
  const subject = name.trim().toLowerCase()
  return subject.startsWith(prefix) ? subject : `${prefix}${subject}`
}

/** The same name is the same person, in the audit log too. */
export const identityOf = ({ name, role }: RememberedPerson): DevelopmentPerson => ({
  sub: subjectOf(name),
  name: name.trim(),
  roles: [role],
})
