import { type Clock, systemClock } from '@atrium/model-checks'
import { invocation } from '../cli/environment.ts'
import { fetchToCache } from '../cli/fetch-to-cache.ts'
import { readFlags, readWholeNumber } from '../cli/flags.ts'
import { askConsent, exitCodes, type Io, sayTo } from '../cli/io.ts'
import { createProgress } from '../cli/progress.ts'
import { userFolders } from '../files/index.ts'
import { readAddress } from '../keys/index.ts'
import type { CloudflaredRelease } from '../tunnel/cloudflared-release.ts'
import { findCloudflared, type Machine } from '../tunnel/find-cloudflared.ts'
import { expectProtected, untilUnprotected } from '../tunnel/protection.ts'
import { publicAnswerLimitMs, waitForPublicAnswer } from '../tunnel/public-answer.ts'
import { openQuickTunnel, type QuickTunnel } from '../tunnel/quick-tunnel.ts'

const defaultPort = 8080

const help = (tool: string) => `Usage: ${tool} tunnel [flags]

Opens a public HTTPS address for the model server on this machine, through a quick tunnel of Cloudflare, and prints the
base URL to enter in Atrium. It refuses a server that answers without a key, and closes if one appears on the port. Cloudflare decrypts what passes through the
tunnel. The host of the address changes on every restart. Press Ctrl-C to close the tunnel.

  --port <n>             port of the server on this machine (default: where serve is running, else ${defaultPort})
  --cloudflared <path>   the program to use; otherwise ATRIUM_CLOUDFLARED, the PATH and our cache are searched
  --yes                  download cloudflared without asking if it is not found
  --json                 print the base URL as one line of JSON

Exit codes: 0 closed with Ctrl-C, 1 the tunnel broke, 2 it could not be opened, 130 stopped before it was open.
`

const options = {
  port: { type: 'string' },
  cloudflared: { type: 'string' },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** What tests replace: the network, the clock, the machine and the release that would be downloaded. */
export interface TunnelOutside {
  fetch?: typeof globalThis.fetch
  clock?: Clock
  machine?: Pick<Machine, 'platform' | 'arch'>
  release?: CloudflaredRelease
}

export async function runTunnel(args: string[], io: Io, outside: TunnelOutside = {}): Promise<number> {
  const flags = readFlags('tunnel', args, options, io.env)
  if (flags.help) {
    io.stdout.write(help(invocation(io.env)))
    return exitCodes.ok
  }
  const port =
    flags.port === undefined ? await portOfServe(io) : readWholeNumber('port', flags.port, 1, 65_535)
  const { fetch = globalThis.fetch, clock = systemClock, machine = process, release } = outside
  const { signal } = io
  const tool = invocation(io.env)
  await expectProtected(port, { fetch, clock, signal, tool })
  const binary = await findCloudflared({
    path: flags.cloudflared,
    machine: { platform: machine.platform, arch: machine.arch, env: io.env },
    consent: async (question) => flags.yes || askConsent(question, io),
    fetchFile: (file) => fetchToCache(file, { io, cacheFolder: userFolders(io.env).cache }),
    say: sayTo(io),
    signal,
    ...(release !== undefined && { release }),
  })

  const progress = createProgress(io)
  progress.show('Opening the tunnel …', '')
  const tunnel = await openQuickTunnel({ binary, port, env: io.env, signal, clock }).finally(progress.clear)
  const closing = new AbortController()
  const unprotected = untilUnprotected(port, {
    ...{ fetch, clock, tool },
    signal: AbortSignal.any([signal, closing.signal]),
  }).catch(() => never)
  try {
    progress.show(`Waiting up to ${publicAnswerLimitMs / 1_000} s until ${tunnel.address} answers …`, '')
    const isPublic = await untilPublic(tunnel, { fetch, clock, signal }).finally(progress.clear)
    if (isPublic) io.stdout.write(announcement(`${tunnel.address}/v1`, flags.json))
    return await stayOpen(tunnel, unprotected, io)
  } finally {
    closing.abort()
    await tunnel.stop()
  }
}

/** As `verify` does: where `serve` is running on this machine. */
async function portOfServe(io: Io): Promise<number> {
  const served = await readAddress(userFolders(io.env).config)
  return (served !== undefined && Number(new URL(served).port)) || defaultPort
}

/** False if the tunnel was lost before. */
async function untilPublic(
  { address, lost, lastOutput }: QuickTunnel,
  { fetch, clock, signal }: { fetch: typeof globalThis.fetch; clock: Clock; signal: AbortSignal },
): Promise<boolean> {
  const enough = new AbortController()
  const asking = waitForPublicAnswer(address, {
    fetch,
    clock,
    signal: AbortSignal.any([signal, enough.signal]),
    lastOutput,
  })
  try {
    return await Promise.race([asking.then(() => true), lost.then(() => false)])
  } finally {
    enough.abort()
  }
}

function announcement(baseUrl: string, isJson: boolean): string {
  if (isJson) return `${JSON.stringify({ baseUrl })}\n`
  return `Base URL: ${baseUrl}

Enter it in Atrium together with the API key of the server. The host changes on every restart of the tunnel; the
credential in Atrium then needs the new one. Cloudflare cuts requests that take longer than about 100 s.
Press Ctrl-C to close the tunnel.
`
}

const never = new Promise<never>(() => undefined)

async function stayOpen({ lost }: QuickTunnel, unprotected: Promise<string>, io: Io): Promise<number> {
  const closed = new Promise<undefined>((resolve) => {
    if (io.signal.aborted) resolve(undefined)
    io.signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  const again = (why: string) => `${why} Start the tunnel again; its address will be another one.`
  const why = await Promise.race([
    lost.then(again),
    unprotected.then((found) => `The tunnel is closed. ${found}`),
    closed,
  ])
  sayTo(io)(why ?? 'The tunnel is closed.')
  return why === undefined ? exitCodes.ok : exitCodes.failed
}
