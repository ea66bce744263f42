import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { seededRandom } from '@atrium/contract'
import { createPacketFates, type PacketFate } from './packet-fates.ts'

export interface BadLineOptions {
  /** Chance that a packet is lost, each time it is sent, in either direction. */
  loss: number
  roundTripMs: number
  /** The same seed loses the same packets of the first connection, of the second, and so on. */
  seed: string
  /** A packet that is still undelivered after this long breaks its connection; 8 s if absent. */
  patienceMs?: number
}

export interface BadLineTally {
  connections: number
  packets: number
  /** Including those that were lost when they were sent again. */
  lost: number
  /** Connections that ended because a packet did not get through. */
  broken: number
}

export type BadLine = {
  readonly http: string
  tally(): BadLineTally
  stop(): Promise<void>
}

/** What fits into a packet on most of the internet. */
const packetBytes = 1_400
const usualPatienceMs = 8_000

/**
 * A connection to a program on this machine that behaves like TCP over a line that loses packets: it stalls, ever longer, and
 * breaks, and what was on its way then is lost. Nothing arrives changed, twice or in another order. A proxy, because few
 * machines let a test drop real packets.
 */
export async function startBadLine(target: string, options: BadLineOptions): Promise<BadLine> {
  const { hostname, port } = new URL(target)
  const { patienceMs = usualPatienceMs } = options
  const tally: BadLineTally = { connections: 0, packets: 0, lost: 0, broken: 0 }
  const sockets = new Set<Socket>()

  function fatesOf(connection: number, direction: 'up' | 'down') {
    const random = seededRandom(`${options.seed}/${connection}/${direction}`)
    const fateAt = createPacketFates({ ...options, patienceMs, random })
    return (nowMs: number): PacketFate => {
      const fate = fateAt(nowMs)
      tally.packets++
      tally.lost += fate.losses
      return fate
    }
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
    const [up, down] = [fatesOf(tally.connections, 'up'), fatesOf(tally.connections, 'down')]
    tally.connections++
    const breakOff = (): void => {
      if (!near.destroyed && !far.destroyed) tally.broken++
      near.destroy()
      far.destroy()
    }
    // Connecting takes a packet there and one back.
    const syn = up(performance.now())
    const openAtMs = syn.kind === 'breaks' ? syn : down(syn.atMs)
    carry(
      near,
      far,
      (nowMs) => (openAtMs.kind === 'breaks' ? openAtMs : up(Math.max(nowMs, openAtMs.atMs))),
      breakOff,
    )
    carry(far, near, down, breakOff)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    http: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tally: () => ({ ...tally }),
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** One direction of a connection. */
function carry(from: Socket, to: Socket, fateAt: (nowMs: number) => PacketFate, breakOff: () => void): void {
  const queue: { fate: PacketFate; bytes: Buffer | 'end' }[] = []
  let timer: NodeJS.Timeout | undefined

  function pump(): void {
    clearTimeout(timer)
    for (let [next] = queue; next; [next] = queue) {
      const earlyMs = next.fate.atMs - performance.now()
      if (earlyMs > 0) {
        timer = setTimeout(pump, Math.ceil(earlyMs))
        return
      }
      queue.shift()
      if (next.fate.kind === 'breaks') breakOff()
      else if (next.bytes === 'end') to.destroySoon()
      else to.write(next.bytes)
    }
  }

  function send(bytes: Buffer | 'end'): void {
    queue.push({ fate: fateAt(performance.now()), bytes })
    pump()
  }

  from.on('data', (data) => {
    for (let at = 0; at < data.length; at += packetBytes) send(data.subarray(at, at + packetBytes))
  })
  from.on('close', () => !to.destroyed && send('end'))
  to.on('close', () => {
    clearTimeout(timer)
    queue.length = 0
    from.destroy()
  })
}
