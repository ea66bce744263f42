import { randomBytes } from 'node:crypto'
import { type Secrets, usingKey } from '@atrium/program'
import { keepSecret } from './adapters/disk/kept-secret.ts'
import type { Database } from './adapters/sql/stores.ts'
import type { Config } from './config/config.ts'
import type { Clock } from './kernel/clock.ts'
import {
  createDevelopmentIssuer,
  type DevelopmentIssuer,
  remoteVerifier,
  type TokenVerifier,
} from './modules/identity/index.ts'

/** Whose ID tokens are accepted: those of the configured provider, or of the development issuer. */
export async function openIssuer(
  { oidc }: Config,
  database: Database,
  { clock, source }: { clock: Clock; source: Clock },
): Promise<{ issuer: DevelopmentIssuer | undefined; verify: TokenVerifier }> {
  // By the source itself: if our steady time differed from the provider's, everybody's tokens would be refused meanwhile.
  if (oidc) return { issuer: undefined, verify: remoteVerifier(oidc, oidc.jwksUri, source) }
  const issuer = await createDevelopmentIssuer(database.secrets, clock)
  return { issuer, verify: issuer.verify }
}

/** R12. Without a configured secret, instances that share a database share a secret kept there. */
export async function sessionSecrets(
  config: Config,
  database: Database,
  onShared: (path: string) => void,
): Promise<Secrets> {
  if (config.sessionSecrets) return config.sessionSecrets
  if (!config.databaseUrl)
    return [await usingKey('DATA_DIR', () => keepSecret(config.dataDir, 'session-secret', onShared))]
  return [await database.secrets.keepFirst('session_secret', randomBytes(32).toString('base64url'))]
}
