import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type TcpGate = {
  readonly port: number
  /** Silently stops all traffic in both directions, like a pulled cable. */
  close(): void
  open(): void
  stop(): Promise<void>
}

/** Sits between two programs on this machine and can cut them off from each other. */
export async function startTcpGate(target: number): Promise<TcpGate> {
  const sockets = new Set<Socket>()
  let isOpen = true
  const track = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    if (!isOpen) socket.pause()
  }
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    track(near)
    track(far)
    near.on('data', (data) => isOpen && far.write(data))
    far.on('data', (data) => isOpen && near.write(data))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      isOpen = false
      for (const socket of sockets) socket.pause()
    },
    open() {
      isOpen = true
      // Data has been lost, so these connections are useless now.
      for (const socket of sockets) socket.destroy()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
