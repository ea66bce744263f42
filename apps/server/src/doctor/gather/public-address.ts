import { type ConnectionView, claimedAddress, operationsRoutes } from '@atrium/contract'
import { isLoopback } from '@atrium/program'
import type { Config } from '../../config/config.ts'
import type { ClockFacts } from '../judge/clock.ts'
import type { IdentityFacts } from '../judge/identity.ts'
import type { ProxyFacts } from '../judge/proxy.ts'
import { codeOf } from './error-code.ts'
import { askOverHttp } from './http-request.ts'
import { answersAsAtrium } from './ports.ts'

/** Takes the way of a participant, and claims an address that nobody has. */
export async function gatherProxy(config: Config, signal: AbortSignal): Promise<ProxyFacts> {
  const { publicUrl, host, port, hosted, trustProxy } = config
  return {
    publicUrl,
    isHosted: hosted,
    trustProxy: String(trustProxy),
    isRunning: await answersAsAtrium(host, port, signal),
    view: publicUrl === undefined ? undefined : await viewThrough(publicUrl, signal),
  }
}

async function viewThrough(publicUrl: string, signal: AbortSignal): Promise<ProxyFacts['view']> {
  try {
    const url = new URL(operationsRoutes.connection.path, publicUrl).href
    const { status, body } = await askOverHttp(url, {
      headers: { 'x-forwarded-for': claimedAddress },
      signal,
    })
    if (status !== 200) return { code: `HTTP ${status}` }
    const view = JSON.parse(body) as Partial<ConnectionView>
    return view.client === undefined ? { code: 'another reply' } : (view as ConnectionView)
  } catch (error) {
    return { code: error instanceof SyntaxError ? 'another reply' : codeOf(error) }
  }
}

export async function gatherIdentity(
  { oidc, host }: Config,
  signal: AbortSignal,
): Promise<{ facts: IdentityFacts; clock: ClockFacts | undefined }> {
  if (!oidc) return { facts: { kind: 'development', isReachable: !isLoopback(host) }, clock: undefined }
  const { issuer } = oidc
  try {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const { status, body, clockAheadMs } = await askOverHttp(url, { signal })
    if (status !== 200)
      return { facts: { kind: 'provider', issuer, answer: { code: `HTTP ${status}` } }, clock: undefined }
    const named = (JSON.parse(body) as { issuer?: unknown }).issuer
    return {
      facts: { kind: 'provider', issuer, answer: named === issuer ? 'sound' : 'another issuer' },
      clock:
        clockAheadMs === undefined ? undefined : { other: 'the identity provider', aheadMs: clockAheadMs },
    }
  } catch (error) {
    const code = error instanceof SyntaxError ? 'not JSON' : codeOf(error)
    return { facts: { kind: 'provider', issuer, answer: { code } }, clock: undefined }
  }
}
