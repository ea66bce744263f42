import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SlowLineOptions {
  /** How long everything takes in each direction. */
  delayMs: number
  /** By how much that varies; what is sent first still arrives first. */
  jitterMs: number
}

export type SlowLine = {
  readonly http: string
  /** Each connection carries at most this much from now on; without a number, as much as it can. */
  limit(bytesPerSecond?: number): void
  /** Nothing arrives any more, but nothing is lost either: `release` delivers it. */
  hold(): void
  release(): void
  stop(): Promise<void>
}

/** Small enough that a limited connection trickles instead of jerking. */
const maxBytesAtOnce = 2_048

/** A connection to a program on this machine that is as slow as one to a distant server. */
export async function startSlowLine(target: string, options: SlowLineOptions): Promise<SlowLine> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const pumps = new Set<() => void>()
  let bytesPerMs = Number.POSITIVE_INFINITY
  let isHeld = false

  /** One direction of a connection. */
  function carry(from: Socket, to: Socket): void {
    const queue: { bytes: Buffer | undefined; dueMs: number }[] = []
    let freeAtMs = 0
    let timer: NodeJS.Timeout | undefined

    function pump(): void {
      clearTimeout(timer)
      for (;;) {
        const [next] = queue
        if (!next || isHeld) return
        const nowMs = performance.now()
        const dueMs = Math.max(next.dueMs, freeAtMs)
        if (dueMs > nowMs) {
          timer = setTimeout(pump, dueMs - nowMs)
          return
        }
        queue.shift()
        freeAtMs = nowMs + (next.bytes?.length ?? 0) / bytesPerMs
        if (next.bytes) to.write(next.bytes)
        else to.destroy()
      }
    }

    function send(bytes: Buffer | undefined): void {
      const { delayMs, jitterMs } = options
      queue.push({ bytes, dueMs: performance.now() + delayMs + (2 * Math.random() - 1) * jitterMs })
      pump()
    }

    pumps.add(pump)
    from.on('data', (data) => {
      const size = Number.isFinite(bytesPerMs) ? maxBytesAtOnce : data.length
      for (let at = 0; at < data.length; at += size) send(data.subarray(at, at + size))
    })
    from.on('close', () => send(undefined))
    to.on('close', () => {
      clearTimeout(timer)
      pumps.delete(pump)
      queue.length = 0
      from.destroy()
    })
  }

  function track(socket: Socket): void {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    track(near)
    track(far)
    carry(near, far)
    carry(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pumpAll = (): void => {
    for (const pump of pumps) pump()
  }
  return {
    http: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    limit(bytesPerSecond = Number.POSITIVE_INFINITY) {
      bytesPerMs = bytesPerSecond / 1_000
      pumpAll()
    },
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      pumpAll()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
