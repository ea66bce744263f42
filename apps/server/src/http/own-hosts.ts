import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isLoopback } from '@atrium/program'

export interface OwnHostsDeps {
  /** Addresses or bare hosts of this server as it is configured; their ports do not matter. */
  configured: readonly (string | undefined)[]
  /** Whether what a request says about itself comes from a proxy that is trusted. */
  isFromProxy(request: IncomingMessage): boolean
}

/** `target`: as it was sent, where it was rewritten since. */
export type IsOwnHost = (request: IncomingMessage, target?: string) => boolean

/** A host as browsers write it: never with a user, a path or an escape. */
const plainHost = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i

/** A name of 253 characters, a final dot, and a port. */
const longestHost = 260
const maxJudged = 100

/**
 * H1: whether a request calls us by a name of ours. While anybody can sign in as anybody, a page of any site could have its own
 * name point to this machine and then read all answers, because to the browser they come from that site (DNS rebinding).
 * Nobody can do that with an address in numbers, a loopback name or a name that the operator has configured.
 */
export function createOwnHosts({ configured, isFromProxy }: OwnHostsDeps): IsOwnHost {
  const names = new Set(configured.map((name) => name && hostNameOf(name)))
  // Every request names its host, and nearly all name the same one: to parse it each time took 25 µs.
  const judged = new Map<string, boolean>()

  function isOwn(host: string): boolean {
    if (host.length > longestHost) return false
    const known = judged.get(host)
    if (known !== undefined) return known
    const name = plainHost.test(host) ? hostNameOf(host) : undefined
    const answer = name !== undefined && (isIP(bare(name)) > 0 || isLoopback(name) || names.has(name))
    if (judged.size >= maxJudged) judged.clear()
    judged.set(host, answer)
    return answer
  }

  return (request, target = request.url ?? '') => {
    const { rawHeaders, httpVersion } = request
    const hosts = [...valuesOf(rawHeaders, 'host'), ...authorityIn(target)]
    if (hosts.length === 0) return httpVersion === '1.0'
    // The page could send this header itself, so it only ever adds to what must be ours.
    if (isFromProxy(request))
      hosts.push(...valuesOf(rawHeaders, 'x-forwarded-host').flatMap((list) => list.split(',')))
    return hosts.every((host) => isOwn(host.trim()))
  }
}

/** All values of a header; of several Hosts, Node's own `headers` only has the first. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name)
      values.push(rawHeaders[at + 1] ?? '')
  return values
}

/** RFC 9112, 3.2.2: a request may name its host in the target; then that counts. */
function authorityIn(target: string): string[] {
  const authority = absoluteForm.exec(target)?.[1]
  return authority === undefined ? [] : [authority]
}

const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i

/** A request target without scheme and host. */
export const originForm = (target: string): string => {
  const [whole = ''] = absoluteForm.exec(target) ?? []
  const rest = target.slice(whole.length)
  return whole === '' || rest.startsWith('/') ? rest : `/${rest}`
}

/** As URLs write it: in lower case, addresses in their usual form; without the final dot, which changes nothing. */
function hostNameOf(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text) ? text : `http://${isIP(text) === 6 ? `[${text}]` : text}`
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined
}

const bare = (name: string): string => name.replace(/^\[(.*)\]$/, '$1')
