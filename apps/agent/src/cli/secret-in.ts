import { Misuse } from '../misuse.ts'

/** A key from the environment; an empty one is none. Anything but visible ASCII would make the request fail with a riddle. */
export function secretIn(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const secret = env[name]
  if (secret === undefined || secret === '') return undefined
  if (/^[\x21-\x7E]{1,1000}$/.test(secret)) return secret
  throw new Misuse(`${name} contains spaces or characters that a header cannot hold. Copy it again.`)
}
