import { hostname } from 'node:os'
import { configurationKeys } from '../config/server-keys.ts'
import { checksFor } from './checks.ts'
import type { Finding } from './finding.ts'
import { judgeConfiguration } from './judge/configuration.ts'
import { judgeNames } from './judge/misspelled.ts'
import { readableConfig } from './readable-config.ts'
import { runChecks } from './run-checks.ts'

const names = configurationKeys.map(({ name }) => name)

/** Everything that can be found out about an installation with this environment. */
export async function diagnose(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { config, refusals } = readableConfig(env, hostname())
  const checks = config === undefined ? [] : checksFor(config, env)
  return [...judgeConfiguration(refusals), ...judgeNames(env, names), ...(await runChecks(checks))]
}
