import { isBrowser } from './browser-events.ts'
import { version } from './version.ts'

interface NodeGlobals {
  process?: { versions?: { node?: string } }
}

/**
 * R13: the platform compares the user agent of sockets with that of the join. A browser sends its own on both; in Node,
 * `fetch` sends one and sockets send none, so programs must name theirs. A `document` does not make Node a browser: tests
 * of pages have one.
 */
export function userAgentOf(
  options: { userAgent?: string },
  { process }: NodeGlobals = globalThis as NodeGlobals,
): string | undefined {
  if (options.userAgent) return options.userAgent
  const isProgram = process?.versions?.node !== undefined || !isBrowser()
  return isProgram ? `atrium-client/${version}` : undefined
}
