import type { SignInSettings } from '@atrium/contract'
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  calculatePKCECodeChallenge,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import type { Identity } from './identity.ts'
import { forgetSignIn, type PendingSignIn, recallSignIn, rememberSignIn } from './sign-in-state.ts'

type ProviderSettings = Extract<SignInSettings, { kind: 'provider' }>

interface Token {
  idToken: string
  expiresAt: number
}

/** A token is not used shortly before it expires: the request must still arrive in time. */
const expiryMarginMs = 20_000

/** Signs people in at an OpenID Connect provider: authorization code flow with PKCE, the token in memory only. */
export async function providerIdentity(settings: ProviderSettings): Promise<Identity> {
  const provider = await findProvider(settings)
  const client: Client = { client_id: settings.clientId }
  const pending = recallSignIn()
  forgetSignIn()
  const token = pending?.answer === undefined ? undefined : await finish(provider, client, pending)
  return {
    async idToken({ isRefresh } = { isRefresh: false }) {
      if (token && !isRefresh && Date.now() < token.expiresAt - expiryMarginMs) return token.idToken
      return await redirectToProvider(provider, client)
    },
  }
}

/** Plain HTTP is only for a provider on this machine. */
const requestOptions = (address: string) => ({ [allowInsecureRequests]: address.startsWith('http://') })

const redirectUri = () => `${location.origin}/signed-in`

async function findProvider({ issuer }: ProviderSettings): Promise<AuthorizationServer> {
  const address = new URL(issuer)
  return await processDiscoveryResponse(address, await discoveryRequest(address, requestOptions(issuer)))
}

async function redirectToProvider(provider: AuthorizationServer, client: Client): Promise<never> {
  const pending = {
    state: generateRandomState(),
    nonce: generateRandomNonce(),
    verifier: generateRandomCodeVerifier(),
    returnTo: location.pathname + location.search,
  }
  const address = new URL(provider.authorization_endpoint ?? '')
  const query = {
    client_id: client.client_id,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: 'openid email profile',
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  rememberSignIn(pending)
  location.assign(address)
  return await new Promise<never>(() => undefined)
}

async function finish(
  provider: AuthorizationServer,
  client: Client,
  { answer = '', state, nonce, verifier }: PendingSignIn,
): Promise<Token> {
  const granted = validateAuthResponse(provider, client, new URLSearchParams(answer), state)
  const options = requestOptions(provider.issuer)
  const response = await authorizationCodeGrantRequest(
    provider,
    client,
    None(),
    granted,
    redirectUri(),
    verifier,
    options,
  )
  const checks = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await processAuthorizationCodeResponse(provider, client, response, checks)
  const expiresAt = (getValidatedIdTokenClaims(tokens)?.exp ?? 0) * 1_000
  return { idToken: tokens.id_token ?? '', expiresAt }
}
