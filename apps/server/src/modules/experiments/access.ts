import {
  type ExperimentAccess,
  isEmailUser,
  mayWith,
  type NeededAccess,
  type ShareAccess,
} from '@atrium/contract'
import { actorOf, type Identity, inLowerCase } from '../identity/index.ts'

/** Made revision 1 of the examples, which every researcher may see and nobody owns. */
export const examplesOwner = 'examples'

/** What is known about an experiment when somebody requests it. */
export interface Ownership {
  experimentId: string
  /** Who made revision 1, as in the audit log (R5: issuer and subject). */
  owner: string | null
  /** The access given by the shares that name this person. */
  shared: readonly ShareAccess[]
}

export type Verdict =
  | { kind: 'allowed'; access: ExperimentAccess }
  /** They may see it, and learn what they lack. */
  | { kind: 'forbidden'; access: ExperimentAccess }
  /** To them the experiment does not exist. */
  | { kind: 'hidden' }

type Person = Pick<Identity, 'issuer' | 'subject' | 'isAdmin' | 'key'>

/** R37: decides who may do what with an experiment. R49: a key may do what its owner may, and never more than it is for. */
export function accessOf(person: Person, ownership: Ownership): ExperimentAccess | undefined {
  const access = accessOfPerson(person, ownership)
  if (!person.key || !access) return access
  const { key } = person
  if (key.experiments && !key.experiments.includes(ownership.experimentId)) return undefined
  return key.access === 'read' || access === 'view' ? 'view' : 'edit'
}

function accessOfPerson(person: Person, { owner, shared }: Ownership): ExperimentAccess | undefined {
  if (owner === actorOf(person)) return 'owner'
  if (person.isAdmin) return 'admin'
  if (shared.includes('edit')) return 'edit'
  return shared.includes('view') || owner === examplesOwner ? 'view' : undefined
}

export function judge(needed: NeededAccess, person: Person, ownership: Ownership | undefined): Verdict {
  const access = ownership && accessOf(person, ownership)
  if (!access) return { kind: 'hidden' }
  return { kind: mayWith(access, needed) ? 'allowed' : 'forbidden', access }
}

/**
 * The principal of a share. A subject belongs to the issuer of the person who shared: at another identity provider the
 * same subject may be somebody else (R5). An e-mail address and a subject never mean the same person.
 */
export const principalOf = (user: string, issuer: string): string =>
  isEmailUser(user) ? emailPrincipal(user) : subjectPrincipal(issuer, user)

/** All principals by which a share can name this person. */
export const principalsOf = ({ issuer, subject, verifiedEmail }: Identity): string[] => [
  subjectPrincipal(issuer, subject),
  ...(verifiedEmail === undefined ? [] : [emailPrincipal(verifiedEmail)]),
]

/** R37: what somebody may see: the experiments of these owners, and those shared with one of their principals. */
export interface Sight {
  /** `null`: everybody's. */
  owners: readonly string[] | null
  principals: readonly string[]
  /** R49: of those, only these, and nothing that belongs to no experiment. */
  limitedTo?: readonly string[]
}

export const sightOf = (identity: Identity) => ({
  owners: identity.isAdmin ? null : [actorOf(identity), examplesOwner],
  principals: principalsOf(identity),
  ...(identity.key?.experiments && { limitedTo: identity.key.experiments }),
})

const subjectPrincipal = (issuer: string, subject: string): string => `sub ${issuer} ${subject}`
const emailPrincipal = (address: string): string => `email ${inLowerCase(address)}`
