import type { JWTPayload } from 'jose'
import { AppError } from '../../kernel/app-error.ts'
import type { TokenVerifier } from './token-verifier.ts'

export interface Identity {
  issuer: string
  subject: string
  isAdmin: boolean
  /** R7: an admin may do all that a researcher may. */
  isResearcher: boolean
}

export interface IdentityCheck {
  authenticate(authorization: string | undefined): Promise<Identity>
}

export function createIdentityCheck(verify: TokenVerifier, adminUsers: readonly string[]): IdentityCheck {
  const admins = new Set(adminUsers)
  return {
    async authenticate(authorization) {
      const token = /^Bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1]
      if (!token) throw new AppError('UNAUTHENTICATED')
      return identityOf(await verify(token), admins)
    },
  }
}

/** R7: roles come from the `roles` claim, `admin: true`, or the list of administrators. */
function identityOf(claims: JWTPayload, admins: ReadonlySet<string>): Identity {
  const { iss, sub, email, roles } = claims
  // Control characters: PostgreSQL cannot store NUL, and no issuer means them.
  if (!iss || !sub || sub.length > 255 || /\p{Cc}|\p{Cs}/u.test(sub)) throw new AppError('UNAUTHENTICATED')
  const hasRole = (role: string) => Array.isArray(roles) && roles.includes(role)
  const isListed =
    admins.has(sub) || (typeof email === 'string' && claims.email_verified === true && admins.has(email))
  const isAdmin = hasRole('admin') || claims.admin === true || isListed
  return { issuer: iss, subject: sub, isAdmin, isResearcher: isAdmin || hasRole('researcher') }
}

/** How an audit names someone. */
export const actorOf = ({ issuer, subject }: Identity): string => `${issuer} ${subject}`
