import type { ConnectionView } from '@atrium/contract'
import { type Finding, ok, problem, warning } from '../finding.ts'

export interface ProxyFacts {
  publicUrl: string | undefined
  isHosted: boolean
  /** TRUST_PROXY, as configured. */
  trustProxy: string
  /** Whether an Atrium server answers on this machine's PORT. */
  isRunning: boolean
  /** What the server says about a request through PUBLIC_URL, or why there is no answer. */
  view: ConnectionView | { code: string } | undefined
}

export function judgeProxy(facts: ProxyFacts): Finding[] {
  const check = 'proxy'
  const { publicUrl, view } = facts
  if (publicUrl === undefined)
    return facts.isHosted
      ? [
          warning(
            check,
            'PUBLIC_URL is not set, so nothing is known about proxies in front.',
            'Set it to the address that people open.',
          ),
        ]
      : [ok(check, 'PUBLIC_URL is not set; nothing to check.')]
  if (view === undefined || 'code' in view) {
    const found = `PUBLIC_URL does not lead to an Atrium server (${view?.code ?? 'no answer'}).`
    return facts.isRunning
      ? [problem(check, found, 'Correct PUBLIC_URL, or let the proxy forward everything to PORT.')]
      : [warning(check, found, 'Start the server, and check again.')]
  }
  return [judgeAddress(facts.trustProxy, view), ...judgeScheme(publicUrl, view)]
}

function judgeAddress(trustProxy: string, { client, isForwarded }: ConnectionView): Finding {
  const check = 'proxy headers'
  if (client === 'caller')
    return problem(
      check,
      `With TRUST_PROXY=${trustProxy} the server believes whatever address a client says it has, so limits per address can be evaded.`,
      'Set TRUST_PROXY to the addresses of your proxies, or to their number. If this machine is itself one of the trusted proxies, check from another one.',
    )
  if (client === 'connection' && isForwarded)
    return problem(
      check,
      `A proxy forwards the addresses of clients, but TRUST_PROXY=${trustProxy} does not trust it: everybody appears to have the address of the proxy, and shares its limits.`,
      'Set TRUST_PROXY to the addresses of your proxies, or to their number.',
    )
  return client === 'connection'
    ? ok(check, 'Clients connect without a proxy that forwards addresses.')
    : ok(check, 'The address of a client is the one that a trusted proxy reports.')
}

const judgeScheme = (publicUrl: string, { protocol }: ConnectionView): Finding[] =>
  publicUrl.startsWith('https:') && protocol === 'http'
    ? [
        warning(
          'proxy headers',
          'PUBLIC_URL is https, but the server does not learn that: no trusted proxy sends X-Forwarded-Proto.',
          'Let the proxy that ends TLS send `X-Forwarded-Proto: https`.',
        ),
      ]
    : []
