import type { Clock } from '@atrium/model-checks'
import { Misuse } from '../misuse.ts'
import { type Child, startChild, stripAtriumVars } from '../processes/index.ts'

export interface QuickTunnel {
  /** Such as `https://four-random-words.trycloudflare.com`. */
  readonly address: string
  /** Settles when cloudflared is gone without having been stopped, with a sentence that says why. */
  readonly lost: Promise<string>
  /** What cloudflared said last, as a sentence; empty if nothing. */
  lastOutput(): string
  /** Ends cloudflared and resolves when it is gone; safe to call twice. */
  stop(): Promise<void>
}

export interface QuickTunnelOptions {
  binary: string
  port: number
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  clock: Clock
}

const addressLimitMs = 60_000
/** The name exists once a connection is registered. Asked for earlier, “no such host” stays in caches for minutes. */
const registrationLimitMs = 15_000

/** In errors cloudflared names the address of its own API, too. */
const publicAddress = /https:\/\/(?!api\.)[a-z0-9-]{1,63}\.trycloudflare\.com(?![\w.-])/

export async function openQuickTunnel(options: QuickTunnelOptions): Promise<QuickTunnel> {
  const { binary, port, env, signal, clock } = options
  signal.throwIfAborted()
  const [named, foundAddress] = signalled<string>()
  const [registered, foundRegistered] = signalled<void>()
  const args = ['tunnel', '--no-autoupdate', '--url', `http://127.0.0.1:${port}`]
  const child = startChild('cloudflared', binary, args, {
    env: cloudflaredEnvironment(env),
    clock,
    onLine(line) {
      const found = publicAddress.exec(line)?.[0]
      if (found !== undefined) foundAddress(found)
      if (line.includes('Registered tunnel connection')) foundRegistered()
    },
    keeps: (line) => /\b(ERR|FTL)\b|^error/i.test(line),
  })
  try {
    const address = await addressOf(child, named, options)
    await registration(registered, child.lost, options)
    signal.throwIfAborted()
    return { address, lost: child.lost, lastOutput: child.lastOutput, stop: child.stop }
  } catch (error) {
    await child.stop()
    throw error
  }
}

/** cloudflared reads its flags from TUNNEL_* as well, and has no business with our key. */
const cloudflaredEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(stripAtriumVars(env)).filter(([name]) => !name.startsWith('TUNNEL_')))

/** The address, unless the child ends, the operator stops or time is up before. */
async function addressOf(
  child: Child,
  named: Promise<string>,
  { signal, clock }: QuickTunnelOptions,
): Promise<string> {
  const refuse = (because: string): never => {
    throw new Misuse(
      `${because} Check the connection to the internet and try again; quick tunnels are limited per hour.`,
    )
  }
  const [late, isLate] = signalled<void>()
  const cancel = clock.after(addressLimitMs, isLate)
  try {
    return await Promise.race([
      named,
      child.lost.then(refuse),
      late.then(() =>
        refuse(`cloudflared named no address within ${addressLimitMs / 1_000} s.${child.lastOutput()}`),
      ),
      aborted(signal).then((): never => {
        throw signal.reason
      }),
    ])
  } finally {
    cancel()
  }
}

/** Waits for it, but not for long: whether the address answers is found out anyway. */
async function registration(
  registered: Promise<void>,
  lost: Promise<string>,
  { signal, clock }: QuickTunnelOptions,
): Promise<void> {
  const [late, isLate] = signalled<void>()
  const cancel = clock.after(registrationLimitMs, isLate)
  await Promise.race([registered, late, lost, aborted(signal)])
  cancel()
}

function signalled<T>(): [Promise<T>, (value: T) => void] {
  let resolveIt: (value: T) => void = () => undefined
  const promise = new Promise<T>((resolve) => {
    resolveIt = resolve
  })
  return [promise, resolveIt]
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
