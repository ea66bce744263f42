import { Misuse } from '../misuse.ts'

/**
 * How the operator has started this tool, for sentences that name another command of it: in a clone there is no
 * program `atrium-agent`, and npm tells its scripts their name.
 */
export const invocation = (env: NodeJS.ProcessEnv): string =>
  env.npm_lifecycle_event === 'agent' ? 'npm run agent --' : 'atrium-agent'

/** A key from the environment; an empty one is none. Anything but visible ASCII would make the request fail with a riddle. */
export function secretIn(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const secret = env[name]
  if (secret === undefined || secret === '') return undefined
  if (/^[\x21-\x7E]{1,1000}$/.test(secret)) return secret
  throw new Misuse(`${name} contains spaces or characters that a header cannot hold. Copy it again.`)
}
