import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface Provider {
  issuer: string
  /** How often somebody was sent here to sign in. */
  visits(): number
  /** Who signs in next. */
  next: { sub: string; roles?: string[] }
  /** A token without a browser, for what a test does by itself. */
  tokenFor(sub: string, roles: string[], clientId: string): Promise<string>
  stop(): void
}

interface Asked {
  nonce: string
  challenge: string
  clientId: string
}

/** The outside world: an OpenID Connect provider that knows everyone and asks nothing, but is strict about PKCE. */
export async function startProvider(): Promise<Provider> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  const asked = new Map<string, Asked>()
  let visits = 0

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: Provider = {
    issuer,
    next: { sub: 'ann' },
    visits: () => visits,
    tokenFor: (sub, roles, clientId) => sign({ roles }, sub, clientId),
    stop: () => void server.close(),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
    const reply = (body: unknown, status = 200) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
        .end(JSON.stringify(body))
    if (pathname === '/.well-known/openid-configuration') return void reply(configuration(issuer))
    if (pathname === '/jwks') return void reply({ keys: [key] })
    if (pathname === '/authorize') return signIn(searchParams, response)
    if (pathname === '/token') {
      const form = new URLSearchParams(await text(request))
      const grant = asked.get(form.get('code') ?? '')
      asked.delete(form.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (grant?.challenge !== challenge) return void reply({ error: 'invalid_grant' }, 400)
      return void reply({ access_token: 'a', token_type: 'bearer', id_token: await idTokenFor(grant) })
    }
    response.writeHead(404).end()
  }

  function signIn(query: URLSearchParams, response: ServerResponse): void {
    visits++
    const code = randomUUID()
    asked.set(code, {
      nonce: query.get('nonce') ?? '',
      challenge: query.get('code_challenge') ?? '',
      clientId: query.get('client_id') ?? '',
    })
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    response.writeHead(302, { location: String(back) }).end()
  }

  const idTokenFor = ({ nonce, clientId }: Asked): Promise<string> =>
    sign({ nonce, roles: provider.next.roles ?? [] }, provider.next.sub, clientId)

  const sign = (claims: Record<string, unknown>, sub: string, clientId: string): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setSubject(sub)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey)

  return provider
}

const configuration = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  code_challenge_methods_supported: ['S256'],
})
