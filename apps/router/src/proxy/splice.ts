import type { Socket } from 'node:net'
import { lingerMs } from '../linger.ts'
import type { Connection } from '../upstream/connection.ts'

/**
 * Two connections as one: what one says the other hears, no faster than it listens. When either ends, both do; what was
 * said before may still arrive, for a while. Returns the backend's.
 */
export function splice(client: Socket, connection: Connection, onClosed: () => void): Socket {
  const backend = connection.handOver((bytes) => client.write(Buffer.from(bytes)))
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

  client.on('data', (chunk: Buffer) => {
    if (!backend.write(chunk)) client.pause()
  })
  backend.on('drain', () => client.resume())
  client.on('drain', () => backend.resume())
  for (const socket of pair) {
    socket.setTimeout(0).setNoDelay(true).setKeepAlive(true, keepAliveMs)
    socket.on('error', () => undefined) // Its close follows, and says enough.
    socket.on('end', end)
    socket.on('close', onClose)
  }
  if (pair.some(({ readableEnded }) => readableEnded)) end()
  return backend
}

/** A host that vanished without a word is noticed after about this long. */
const keepAliveMs = 30_000
