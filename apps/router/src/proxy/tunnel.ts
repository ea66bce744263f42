import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { lingerMs } from '../http/response.ts'

/**
 * Joins two sockets: each receives what the other sends, no faster than it reads. When either ends, both do; data sent
 * before that may still arrive for a while.
 */
export function openTunnel(client: Socket, backend: Socket, onClosed: () => void): void {
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

  pipe(client, backend)
  pipe(backend, client)
  for (const socket of pair) {
    socket.setTimeout(0).setNoDelay(true).setKeepAlive(true, keepAliveMs)
    socket.on('error', () => undefined) // The close that follows is enough.
    socket.on('end', end)
    socket.on('close', onClose)
  }
  if (pair.some(({ readableEnded }) => readableEnded)) end()
}

function pipe(from: Duplex, to: Duplex): void {
  from.on('data', (chunk: Buffer) => {
    if (!to.write(chunk)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.resume()
}

/** Roughly how long it takes to notice a host that vanished without closing its connections. */
const keepAliveMs = 30_000
