import { readConfig } from '../../src/config/config.ts'

export const read = (env: Record<string, string>) => readConfig(env, 'this-host')

/** The sentence with which a configuration is refused. */
export function refusalOf(env: Record<string, string>): string {
  try {
    read(env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('it was accepted')
}
