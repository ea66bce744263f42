import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, type JWTPayload, SignJWT } from 'jose'

export const audience = 'atrium-under-test'

export interface SigningKey {
  kid: string
  alg: string
  publicKey: KeyObject
  privateKey: KeyObject
}

export const newKey = (kid: string, alg: 'RS256' | 'ES256' = 'ES256'): SigningKey => ({
  kid,
  alg,
  ...(alg === 'RS256'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })),
})

export interface LocalIssuer {
  readonly issuer: string
  readonly jwksUri: string
  /** Sets the published key set; a string is served unchanged. */
  publish(keys: readonly SigningKey[] | string): void
  claims(more?: JWTPayload): JWTPayload
  sign(claims: JWTPayload, key: SigningKey): Promise<string>
  stop(): Promise<void>
}

/** A real OpenID Connect issuer, as far as the platform uses one: discovery document, key set, tokens. */
export async function startIssuer(keys: readonly SigningKey[], port = 0): Promise<LocalIssuer> {
  let published: readonly SigningKey[] | string = keys
  const server = createServer(async (request, response) => {
    const answer = request.url === '/keys' ? await keySet(published) : JSON.stringify(discovery())
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const discovery = () => ({ issuer, jwks_uri: `${issuer}/keys` })
  return {
    issuer,
    jwksUri: `${issuer}/keys`,
    publish: (next) => {
      published = next
    },
    claims: (more = {}) => ({
      iss: issuer,
      aud: audience,
      sub: 'someone',
      exp: Math.floor(Date.now() / 1000) + 600,
      ...more,
    }),
    sign: (claims, { kid, alg, privateKey }) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey),
    stop: () => stop(server),
  }
}

async function keySet(published: readonly SigningKey[] | string): Promise<string> {
  if (typeof published === 'string') return published
  const keys = published.map(async ({ kid, alg, publicKey }) => ({
    ...(await exportJWK(publicKey)),
    kid,
    alg,
  }))
  return JSON.stringify({ keys: await Promise.all(keys) })
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

const encoded = (part: object | string): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

/** The token with one part replaced. */
export function withPart(token: string, at: 0 | 1 | 2, part: object | string): string {
  const parts = token.split('.')
  parts[at] = at === 2 ? String(part) : encoded(part)
  return parts.join('.')
}

export const unsigned = (claims: JWTPayload, alg = 'none'): string =>
  `${encoded({ alg })}.${encoded(claims)}.`

/** The classic algorithm confusion: the public key used as an HMAC secret. */
export function signedWithPublicKey(claims: JWTPayload, { kid, publicKey }: SigningKey): string {
  const text = `${encoded({ alg: 'HS256', kid })}.${encoded(claims)}`
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`
}
