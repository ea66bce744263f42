import { type JSONWebKeySet, SignJWT } from 'jose'
import type { Clock } from '../../kernel/clock.ts'
import type { SharedSecretStore } from './identity.store.ts'
import { issuerKey } from './issuer-key.ts'
import { localVerifier, type TokenVerifier } from './token-verifier.ts'

const keyId = 'development'
const lifetimeMs = 12 * 60 * 60_000
export const developmentIssuer = 'urn:atrium:development-issuer'
const facts = { issuer: developmentIssuer, audience: 'atrium-development' }

export interface DevelopmentIssuer {
  verify: TokenVerifier
  jwks: JSONWebKeySet
  issueToken(person: { sub: string; name?: string; email?: string; roles?: string[] }): Promise<string>
}

/** R6: signs tokens for anybody. */
export async function createDevelopmentIssuer(
  secrets: SharedSecretStore,
  clock: Clock,
): Promise<DevelopmentIssuer> {
  const { privateKey, jwks, header } = await issuerKey(secrets, 'development_issuer_ec_key', keyId)
  return {
    jwks,
    verify: localVerifier(facts, jwks, clock),
    issueToken: ({ sub, ...claims }) =>
      new SignJWT({ ...claims, ...(claims.email ? { email_verified: true } : {}) })
        .setProtectedHeader(header)
        .setSubject(sub)
        .setIssuer(facts.issuer)
        .setAudience(facts.audience)
        .setIssuedAt(new Date(clock.now()))
        .setExpirationTime(new Date(clock.now() + lifetimeMs))
        .sign(privateKey),
  }
}
