import type { KeyScope } from '@atrium/contract'
import type { JWTPayload } from 'jose'
import { AppError } from '../../kernel/app-error.ts'
import { signatureOf } from '../../kernel/signature.ts'
import type { TokenVerifier } from './token-verifier.ts'

export interface Identity {
  issuer: string
  subject: string
  /** In lower case. R5: not what identifies a person, but a share may name it (R37). */
  verifiedEmail: string | undefined
  isAdmin: boolean
  /** Whether the configuration says so, rather than the token. */
  isListedAdmin?: boolean
  /** R7: true for admins too, who may do all that researchers may. */
  isResearcher: boolean
  /** When the token that says so expires. */
  expiresAt?: number
  /** R51: set for people without an account; the one experiment that they may join. */
  guest?: Guest
  /** R49: set if a script acts in their name. */
  key?: KeyScope & { keyId: string }
}

export interface Guest {
  experimentId: string
  externalId?: string
  /** G12: which of the devices that claim to be this person. Secret: whoever knows it is that device. */
  device: string
}

export interface IdentityCheck {
  authenticate(authorization: string | undefined): Promise<Identity>
}

/** Credentials that the platform issues itself: to people without an account, and to researchers' scripts. */
interface OwnTokens {
  claims(token: string): boolean
  verify(token: string): Promise<Identity>
}

export function createIdentityCheck(
  verify: TokenVerifier,
  own: readonly OwnTokens[],
  adminUsers: readonly string[],
): IdentityCheck {
  const isListed = adminListOf(adminUsers)
  return {
    async authenticate(authorization) {
      const token = /^Bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1]
      if (!token) throw new AppError('UNAUTHENTICATED')
      const issuer = own.find(({ claims }) => claims(token))
      if (issuer) return await issuer.verify(token)
      return identityOf(await verify(token), isListed)
    },
  }
}

/** R7: roles come from the `roles` claim, `admin: true`, or the list of administrators. */
function identityOf(claims: JWTPayload, isListed: (claims: JWTPayload) => boolean): Identity {
  const { iss, sub, roles } = claims
  // PostgreSQL cannot store NUL, and no issuer uses control characters on purpose.
  if (!iss || !sub || sub.length > 255 || /\p{Cc}|\p{Cs}/u.test(sub)) throw new AppError('UNAUTHENTICATED')
  const hasRole = (role: string) => Array.isArray(roles) && roles.includes(role)
  const isAdminByToken = hasRole('admin') || claims.admin === true
  const isListedAdmin = !isAdminByToken && isListed(claims)
  const isAdmin = isAdminByToken || isListedAdmin
  return {
    issuer: iss,
    subject: sub,
    verifiedEmail: verifiedEmailIn(claims),
    isAdmin,
    ...(isListedAdmin && { isListedAdmin }),
    isResearcher: isAdmin || hasRole('researcher'),
    ...(claims.exp !== undefined && { expiresAt: claims.exp * 1000 }),
  }
}

/**
 * R7. An entry with @ is an e-mail address and matches only a verified one. Otherwise, where people choose their own
 * subject, somebody could choose an administrator's address.
 */
function adminListOf(adminUsers: readonly string[]): (claims: JWTPayload) => boolean {
  const isAddress = (user: string) => user.includes('@')
  const addresses = new Set(adminUsers.filter(isAddress).map(inLowerCase))
  const subjects = new Set(adminUsers.filter((user) => !isAddress(user)))
  return (claims) => {
    const address = verifiedEmailIn(claims)
    return (
      (claims.sub !== undefined && subjects.has(claims.sub)) ||
      (address !== undefined && addresses.has(address))
    )
  }
}

/** Undefined if nobody has verified it, or if it is not an address. */
function verifiedEmailIn({ email, email_verified }: JWTPayload): string | undefined {
  const isAddress =
    typeof email === 'string' &&
    email.length <= 320 &&
    /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u.test(email)
  return isAddress && email_verified === true ? inLowerCase(email) : undefined
}

/** ASCII only: Unicode lower-cases the kelvin sign to k as well, which would be another person's address. */
export const inLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** How the audit log names a person, and how what they make says whose it is. */
export const actorOf = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string =>
  `${issuer} ${subject}`

/** Whoever changes something, for the audit: a script is told from its owner. */
export const signedBy = (identity: Identity): string => signatureOf(actorOf(identity), identity.key?.keyId)
