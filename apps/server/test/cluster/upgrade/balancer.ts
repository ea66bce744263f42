import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Balancer {
  readonly http: string
  stop(): Promise<void>
}

/** What Kubernetes puts before several routers: each new connection goes to the next of those that are ready. */
export async function startBalancer(readyPorts: () => readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((near) => {
    const ports = readyPorts()
    const far = connect(ports[connections++ % ports.length] ?? 0, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    near.pipe(far)
    far.pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    http: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
