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
import { forgetSignIn, recallSignIn, rememberSignIn, type SignInUnderWay } from './sign-in-state.ts'

type ProviderSettings = Extract<SignInSettings, { kind: 'provider' }>

interface Token {
  idToken: string
  expiresAt: number
}

/** A token is not used in its last moments: the request must still arrive in time. */
const reserveMs = 20_000

/** Signs people in at an OpenID Connect provider: authorization code flow with PKCE, the token in memory only. */
export async function providerIdentity(settings: ProviderSettings): Promise<Identity> {
  const provider = await findProvider(settings)
  const client: Client = { client_id: settings.clientId }
  const underWay = recallSignIn()
  forgetSignIn()
  const token = underWay?.answer === undefined ? undefined : await finish(provider, client, underWay)
  return {
    async idToken({ isRefresh } = { isRefresh: false }) {
      if (token && !isRefresh && Date.now() < token.expiresAt - reserveMs) return token.idToken
      return await leaveFor(provider, client)
    },
  }
}

/** Only a provider on this machine may be asked without encryption. */
const insecurely = (address: string) => ({ [allowInsecureRequests]: address.startsWith('http://') })

const redirectUri = () => `${location.origin}/signed-in`

async function findProvider({ issuer }: ProviderSettings): Promise<AuthorizationServer> {
  const address = new URL(issuer)
  return await processDiscoveryResponse(address, await discoveryRequest(address, insecurely(issuer)))
}

async function leaveFor(provider: AuthorizationServer, client: Client): Promise<never> {
  const underWay = {
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
    state: underWay.state,
    nonce: underWay.nonce,
    code_challenge: await calculatePKCECodeChallenge(underWay.verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  rememberSignIn(underWay)
  location.assign(address)
  return await new Promise<never>(() => undefined)
}

async function finish(
  provider: AuthorizationServer,
  client: Client,
  { answer = '', state, nonce, verifier }: SignInUnderWay,
): Promise<Token> {
  const granted = validateAuthResponse(provider, client, new URLSearchParams(answer), state)
  const options = insecurely(provider.issuer)
  const response = await authorizationCodeGrantRequest(
    ...([provider, client, None(), granted, redirectUri(), verifier, options] as const),
  )
  const checks = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await processAuthorizationCodeResponse(provider, client, response, checks)
  const expiresAt = (getValidatedIdTokenClaims(tokens)?.exp ?? 0) * 1_000
  return { idToken: tokens.id_token ?? '', expiresAt }
}
