import { createServer } from 'node:net'
import { modelServerPaths } from '@atrium/agent-protocol'
import { codeOf } from '../../files/index.ts'
import { Misuse } from '../../misuse.ts'

const probeMs = 2_000
const longestRefusal = 1_000

/** How many ports after the one that was asked for are tried, to name one that is free. */
const triedPorts = 50

/** Finds out before anything is downloaded. Whoever takes the port later is refused by the server itself. */
export async function expectFreePort(
  host: string,
  port: number,
  servedAt: string | undefined,
): Promise<void> {
  const trouble = await tryPort(host, port)
  if (trouble === undefined) return
  if (trouble === 'EADDRINUSE') {
    const free = await freePortAfter(host, port)
    const other = `--port ${free ?? '<n>'}`
    const isOurs =
      (servedAt !== undefined && new URL(servedAt).port === String(port)) || (await isFront(host, port))
    throw new Misuse(
      isOurs
        ? `serve is already running on port ${port}. Use that server, or stop it first; a second one needs another port: ${other}.`
        : `Port ${port} is taken by another program. Stop that program, or use another port: ${other}.`,
    )
  }
  if (trouble === 'EACCES')
    throw new Misuse(`This user may not listen on port ${port}. Use one above 1023: --port 8080.`)
  throw new Misuse(
    `This machine cannot listen on ${host} (${trouble}). Use an address of its own: --host 127.0.0.1.`,
  )
}

/** Another user's `serve`, or one in a container: it refuses requests without a key in our words. */
async function isFront(host: string, port: number): Promise<boolean> {
  const address = /^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  try {
    const response = await fetch(`http://${address}:${port}/v1${modelServerPaths.models}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(probeMs),
    })
    const isShort = Number(response.headers.get('content-length') ?? Number.NaN) <= longestRefusal
    if (response.status !== 401 || !isShort) {
      await response.body?.cancel()
      return false
    }
    const { keyMissing } = await import('../../front/index.ts')
    return (await response.text()).includes(keyMissing)
  } catch {
    return false // Whatever it is, it is not ours.
  }
}

async function freePortAfter(host: string, port: number): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(65_535, port + triedPorts); next++)
    if ((await tryPort(host, next)) === undefined) return next
  return undefined
}

function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(codeOf(error) ?? 'unknown'))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
