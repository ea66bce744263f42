import { isIP } from 'node:net'
import { ConfigError, type Key, oneOf, port, text } from './keys.ts'

const group = 'Listening'

/** Keys that every listening program has in common. */
export const listeningKeys = {
  HOST: { group, schema: text('Address to listen on', { default: '0.0.0.0' }) },
  METRICS_PORT: { group, schema: port(9464, 'Port of /metrics; 0 = any free port') },
  TRUST_PROXY: {
    group,
    accepts: mayTrust,
    schema: text(
      'Proxies trusted to forward the client address: false, true, a number of hops, or addresses',
      {
        default: 'false',
        expected:
          'true, false, a number of hops, or a comma-separated list of addresses, subnets, loopback, linklocal, uniquelocal',
      },
    ),
  },
  LOG_LEVEL: {
    group,
    schema: oneOf(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
      'Lowest level to log. Logs go to standard error, as text on a terminal and otherwise as JSON',
    ),
  },
} as const satisfies Record<string, Key>

export function asTrustProxy(raw: string): boolean | number | string {
  if (/^(true|false)$/i.test(raw)) return raw.toLowerCase() === 'true'
  return /^\d+$/.test(raw) ? Number(raw) : raw
}

/** Checked here, because Fastify's own refusal does not name the key. */
function mayTrust(raw: string): boolean {
  if (typeof asTrustProxy(raw) !== 'string') return true
  return raw
    .split(',')
    .every((part) => /^(loopback|linklocal|uniquelocal)$/.test(part.trim()) || isSubnet(part.trim()))
}

function isSubnet(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export function refuseSamePort(
  name: string,
  { port, metricsPort }: { port: number; metricsPort: number },
): void {
  if (metricsPort !== 0 && metricsPort === port)
    throw new ConfigError(`METRICS_PORT must differ from ${name}, but both are ${port}.`)
}
