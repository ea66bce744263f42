import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { lingerMs } from '../http/linger.ts'

/**
 * Two connections as one: what one says the other hears, no faster than it listens. When either ends, both do; what was
 * said before may still arrive, for a while.
 */
export function tunnel(client: Socket, backend: Socket, onClosed: () => void): void {
  const pair = [client, backend]
  let open = pair.length
  let cut: NodeJS.Timeout | undefined

  function end(): void {
    if (cut !== undefined) return
    cut = setTimeout(() => {
      for (const socket of pair) socket.destroy()
    }, lingerMs)
    for (const socket of pair) socket.end(() => socket.destroy())
  }

  function onClose(): void {
    end()
    if (--open > 0) return
    clearTimeout(cut)
    onClosed()
  }

  pass(client, backend)
  pass(backend, client)
  for (const socket of pair) {
    socket.setTimeout(0).setNoDelay(true).setKeepAlive(true, keepAliveMs)
    socket.on('error', () => undefined) // Its close follows, and says enough.
    socket.on('end', end)
    socket.on('close', onClose)
  }
  if (pair.some(({ readableEnded }) => readableEnded)) end()
}

function pass(from: Duplex, to: Duplex): void {
  from.on('data', (chunk: Buffer) => {
    if (!to.write(chunk)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.resume()
}

/** A host that vanished without a word is noticed after about this long. */
const keepAliveMs = 30_000
