import type { JWTPayload } from 'jose'
import { AppError } from '../../kernel/app-error.ts'
import type { TokenVerifier } from './token-verifier.ts'

export interface Identity {
  issuer: string
  subject: string
  /** In small letters. R5: says nothing about who somebody is, but a share may name it (R37). */
  verifiedEmail: string | undefined
  isAdmin: boolean
  /** R7: an admin may do all that a researcher may. */
  isResearcher: boolean
  /** R51: somebody without an account, and the one experiment that they may join. */
  guest?: { experimentId: string; externalId?: string }
}

export interface IdentityCheck {
  authenticate(authorization: string | undefined): Promise<Identity>
}

/** The part of the guest issuer that recognises its own tokens. */
interface GuestCheck {
  claims(token: string): boolean
  verify(token: string): Promise<Identity>
}

export function createIdentityCheck(
  verify: TokenVerifier,
  guests: GuestCheck,
  adminUsers: readonly string[],
): IdentityCheck {
  const isListed = adminListOf(adminUsers)
  return {
    async authenticate(authorization) {
      const token = /^Bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1]
      if (!token) throw new AppError('UNAUTHENTICATED')
      if (guests.claims(token)) return await guests.verify(token)
      return identityOf(await verify(token), isListed)
    },
  }
}

/** R7: roles come from the `roles` claim, `admin: true`, or the list of administrators. */
function identityOf(claims: JWTPayload, isListed: (claims: JWTPayload) => boolean): Identity {
  const { iss, sub, roles } = claims
  // Control characters: PostgreSQL cannot store NUL, and no issuer means them.
  if (!iss || !sub || sub.length > 255 || /\p{Cc}|\p{Cs}/u.test(sub)) throw new AppError('UNAUTHENTICATED')
  const hasRole = (role: string) => Array.isArray(roles) && roles.includes(role)
  const isAdmin = hasRole('admin') || claims.admin === true || isListed(claims)
  return {
    ...{ issuer: iss, subject: sub, verifiedEmail: verifiedEmailIn(claims) },
    ...{ isAdmin, isResearcher: isAdmin || hasRole('researcher') },
  }
}

/**
 * R7. An entry with @ is an e-mail address, and only a verified one may match it: where people choose their own subject,
 * somebody would choose the address of an administrator.
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

/** Undefined for what nobody has verified, and for what is no address. */
function verifiedEmailIn({ email, email_verified }: JWTPayload): string | undefined {
  const isAddress =
    typeof email === 'string' &&
    email.length <= 320 &&
    /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u.test(email)
  return isAddress && email_verified === true ? inLowerCase(email) : undefined
}

/** ASCII only: to Unicode the sign for kelvin is a small k as well, and so another person’s address. */
export const inLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** How an audit names someone. */
export const actorOf = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string =>
  `${issuer} ${subject}`
