import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { Page } from 'playwright-core'

export const clientId = 'atrium-web'

export interface OidcProvider {
  issuer: string
  /** Registers the address of the web app for redirects. */
  register(webApp: string): void
  stop(): void
}

/**
 * A certified OpenID Connect provider on this machine, with its own sign-in pages. It starts before the web app, whose
 * address is known only after it has been given the provider's.
 */
export async function startOidcProvider(rolesOf: (login: string) => string[]): Promise<OidcProvider> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const webApps: string[] = []
  return {
    issuer,
    register(webApp) {
      webApps.push(webApp)
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            redirect_uris: webApps.map((address) => `${address}/signed-in`),
            response_types: ['code'],
            grant_types: ['authorization_code'],
            token_endpoint_auth_method: 'none',
          },
        ],
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }] },
        cookies: { keys: ['a key of this provider'] },
        clientBasedCORS: () => true,
        // The platform reads only the ID token, so the roles must be in it.
        conformIdTokenClaims: false,
        claims: { openid: ['sub', 'roles'], email: ['email'], profile: ['name'] },
        findAccount: (_context, login) => ({
          accountId: login,
          claims: () => ({ sub: login, name: login, roles: rolesOf(login) }),
        }),
      })
      answer = provider.callback()
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Signs in as a person does: enters the login, then consents to share it with the web app. */
export async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('open sesame')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
