import { ConfigError } from '@atrium/program'
import { type Config, readConfig } from '../config/config.ts'

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
