import { ConfigError, isLoopback, refuseSamePort, secretsIn } from '@atrium/program'
import type { ServerValues } from './server-keys.ts'

export const isHosted = ({ HOSTED, NODE_ENV }: ServerValues): boolean =>
  HOSTED || NODE_ENV.toLowerCase() === 'production'

const shortestSecret = 16

/** Values that are valid one by one, but not together, or not where the platform is open to the internet. */
export function refuseContradictions(values: ServerValues): void {
  if (values.HORIZONTAL_SCALING_ENABLED && !(values.DATABASE_URL && values.REDIS_URL)) {
    const missing = values.DATABASE_URL
      ? 'REDIS_URL'
      : values.REDIS_URL
        ? 'DATABASE_URL'
        : 'DATABASE_URL and REDIS_URL'
    throw new ConfigError(
      `HORIZONTAL_SCALING_ENABLED=true needs ${missing}: several instances share one database and one Redis.`,
    )
  }
  refuseVideoContradictions(values)
  refuseSamePort('PORT', { port: values.PORT, metricsPort: values.METRICS_PORT })
  if (isHosted(values)) refuseUnsafeHosting(values)
  refuseShortSecrets('SESSION_SECRET', values.SESSION_SECRET)
}

const hasShortSecret = (raw: string): boolean =>
  secretsIn(raw)?.every((secret) => secret.length >= shortestSecret) !== true

function refuseShortSecrets(name: string, raw: string | undefined): void {
  if (raw !== undefined && hasShortSecret(raw))
    throw new ConfigError(
      `${name} must be at least ${shortestSecret} characters long, and so must each of several that are separated by commas.`,
    )
}

/** Only what would fail later, in the middle of an upload or of a transcoding. */
function refuseVideoContradictions(values: ServerValues): void {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, INTERNAL_API_KEY } = values
  const { TRANSCODER_ROLE, TRANSCODER_ENDPOINT } = values
  const required = (needed: Record<string, string | undefined>, by: string, reason: string) => {
    for (const [name, value] of Object.entries(needed))
      if (value === undefined) throw new ConfigError(`${name} is required with ${by}: ${reason}`)
  }
  const signed = 'every request to the object store is signed.'
  if (S3_ENDPOINT) required({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }, 'S3_ENDPOINT', signed)
  else
    for (const [name, value] of Object.entries({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }))
      if (value !== undefined)
        throw new ConfigError(`S3_ENDPOINT is required with ${name}: it says where the object store is.`)
  if (TRANSCODER_ENDPOINT)
    required({ TRANSCODER_ROLE }, 'TRANSCODER_ENDPOINT', 'MediaConvert reads and writes videos in this role.')
  if (TRANSCODER_ROLE) {
    required({ S3_ENDPOINT }, 'TRANSCODER_ROLE', 'MediaConvert reads videos from S3.')
    required({ INTERNAL_API_KEY }, 'TRANSCODER_ROLE', 'the functions report with it how a job has ended.')
  }
  refuseShortSecrets('INTERNAL_API_KEY', INTERNAL_API_KEY)
}

function refuseUnsafeHosting(values: ServerValues): void {
  const { OIDC_ISSUER, OIDC_JWKS_URI, SESSION_SECRET } = values
  if (!OIDC_ISSUER)
    throw new ConfigError(
      'OIDC_ISSUER is required when HOSTED=true or NODE_ENV=production: the development issuer is never reachable there.',
    )
  for (const [name, address] of Object.entries({ OIDC_ISSUER, OIDC_JWKS_URI }))
    if (address !== undefined && isOpenToForgery(address))
      throw new ConfigError(
        `${name} must be an https:// address when HOSTED=true or NODE_ENV=production: over http anybody on the way can sign in as anybody.`,
      )
  if (SESSION_SECRET === undefined || hasShortSecret(SESSION_SECRET))
    throw new ConfigError(
      `SESSION_SECRET of at least ${shortestSecret} characters is required when HOSTED=true or NODE_ENV=production.`,
    )
}

function isOpenToForgery(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isLoopback(hostname)
}
