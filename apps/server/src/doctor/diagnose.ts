import { hostname } from 'node:os'
import { ConfigError } from '@atrium/program'
import { type Config, readConfig } from '../config/config.ts'
import { configurationKeys } from '../config/server-keys.ts'
import { checksFor } from './checks.ts'
import type { Finding } from './finding.ts'
import { judgeConfiguration, judgeNames } from './judge/configuration.ts'
import { runChecks } from './run-checks.ts'

const names = configurationKeys.map(({ name }) => name)

/** Everything that can be found out about an installation with this environment. */
export async function diagnose(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { config, refusals } = readableConfig(env, hostname())
  const checks = config === undefined ? [] : checksFor(config, env)
  return [...judgeConfiguration(refusals), ...judgeNames(env, names), ...(await runChecks(checks))]
}

/**
 * The configuration without what the server refuses, so that one wrong value does not hide everything else. Each refusal
 * names a variable; it is left out, and the rest is read again.
 */
export function readableConfig(
  env: NodeJS.ProcessEnv,
  hostName: string,
): { config: Config | undefined; refusals: string[] } {
  const left = { ...env }
  const refusals: string[] = []
  for (;;)
    try {
      return { config: readConfig(left, hostName), refusals }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      refusals.push(error.message)
      const named = error.message.match(/\b[A-Z][A-Z0-9_]{3,}\b/g)?.find((name) => left[name] !== undefined)
      if (named === undefined) return { config: undefined, refusals }
      delete left[named]
    }
}
