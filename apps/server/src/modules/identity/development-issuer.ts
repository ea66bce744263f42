import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { exportJWK, importPKCS8, type JSONWebKeySet, SignJWT } from 'jose'
import type { Clock } from '../../kernel/clock.ts'
import type { SharedSecretStore } from './identity.store.ts'
import { localVerifier, type TokenVerifier } from './token-verifier.ts'

const keyId = 'development'
const lifetimeMs = 12 * 60 * 60_000
const facts = { issuer: 'urn:atrium:development-issuer', audience: 'atrium-development' }

export interface DevelopmentIssuer {
  verify: TokenVerifier
  jwks: JSONWebKeySet
  issueToken(person: { sub: string; name?: string; email?: string; roles?: string[] }): Promise<string>
}

/** R6: signs tokens for anybody. Its key is kept in the store, so that several instances are one issuer. */
export async function createDevelopmentIssuer(
  secrets: SharedSecretStore,
  clock: Clock,
): Promise<DevelopmentIssuer> {
  const candidate = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = await secrets.keepFirst(
    'development_issuer_key',
    candidate.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  )
  const privateKey = await importPKCS8(pem, 'RS256')
  const publicJwk = await exportJWK(createPublicKey(pem))
  const jwks: JSONWebKeySet = { keys: [{ ...publicJwk, kid: keyId, alg: 'RS256', use: 'sig' }] }
  return {
    jwks,
    verify: localVerifier(facts, jwks, clock),
    issueToken: ({ sub, ...claims }) =>
      new SignJWT({ ...claims, ...(claims.email ? { email_verified: true } : {}) })
        .setProtectedHeader({ alg: 'RS256', kid: keyId })
        .setSubject(sub)
        .setIssuer(facts.issuer)
        .setAudience(facts.audience)
        .setIssuedAt(new Date(clock.now()))
        .setExpirationTime(new Date(clock.now() + lifetimeMs))
        .sign(privateKey),
  }
}
