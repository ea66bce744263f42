import { hostname } from 'node:os'
import { checksFor } from './checks.ts'
import type { Finding } from './finding.ts'
import { judgeConfiguration } from './judge/configuration.ts'
import { judgeNames } from './judge/misspelled.ts'
import { readableConfig } from './readable-config.ts'
import { runChecks } from './run-checks.ts'

/** Everything that can be found out about an installation with this environment. */
export async function diagnose(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { config, refusals } = readableConfig(env, hostname())
  const checks = config === undefined ? [] : checksFor(config, env)
  return [...judgeConfiguration(refusals), ...judgeNames(env), ...(await runChecks(checks))]
}
