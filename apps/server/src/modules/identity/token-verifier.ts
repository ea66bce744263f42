import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'

export type TokenVerifier = (token: string) => Promise<JWTPayload>

/** R5: asymmetric only. With a symmetric algorithm the public key would be the secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

export interface IssuerFacts {
  issuer: string
  audience: string
}

function createVerifier(
  { issuer, audience }: IssuerFacts,
  keySet: () => Promise<JWTVerifyGetKey>,
  clock: Clock,
): TokenVerifier {
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, await keySet(), {
        issuer,
        audience,
        algorithms,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: 5,
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch (error) {
      throw isTokenFault(error)
        ? new AppError('UNAUTHENTICATED')
        : new AppError('UNAVAILABLE', {}, issuerAway)
    }
  }
}

const issuerAway = 'The identity provider cannot be reached at the moment. Try again shortly.'

/** A bad token is the caller's fault; keys that cannot be fetched are not. */
const isTokenFault = (error: unknown): boolean =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  error.code !== 'ERR_JOSE_GENERIC'

export const localVerifier = (facts: IssuerFacts, keySet: JSONWebKeySet, clock: Clock): TokenVerifier => {
  const keys = createLocalJWKSet(keySet)
  return createVerifier(facts, async () => keys, clock)
}

/**
 * An unknown `kid` makes us fetch the issuer's keys again, but not more often than this: a flood of made-up ones must
 * not reach the issuer. Short, because people are refused for this long after a key rotation.
 */
const unknownKeyPauseMs = 3_000

export function remoteVerifier(facts: IssuerFacts, jwksUri: string | undefined, clock: Clock): TokenVerifier {
  let keys: Promise<JWTVerifyGetKey> | undefined
  const load = async () =>
    createRemoteJWKSet(new URL(jwksUri ?? (await discoverJwksUri(facts.issuer))), {
      cooldownDuration: unknownKeyPauseMs,
    })
  const loaded = () => {
    keys ??= load().catch((error) => {
      keys = undefined
      throw error
    })
    return keys
  }
  return createVerifier(facts, loaded, clock)
}

async function discoverJwksUri(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await fetch(address, { signal: AbortSignal.timeout(5_000), redirect: 'error' })
  const document: unknown = await answer.json()
  const uri = (document as { jwks_uri?: unknown } | null)?.jwks_uri
  if (!answer.ok || typeof uri !== 'string') throw new Error('the discovery document has no jwks_uri')
  // Keys fetched over http would make the issuer's https worthless.
  if (issuer.startsWith('https:') && !uri.startsWith('https:'))
    throw new Error('the discovery document names a jwks_uri without https')
  return uri
}
