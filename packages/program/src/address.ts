import { type AddressInfo, BlockList, isIP, type Server } from 'node:net'

export async function listenOn(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** An address that a person can open: a server on all interfaces is reached through the loopback one. */
export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Whether only this machine can reach a host, given as in `HOST` or in a URL. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const version = isIP(bare)
  if (version === 0) return bare === 'localhost' || bare.endsWith('.localhost')
  return loopback.check(bare, version === 4 ? 'ipv4' : 'ipv6')
}
