import { once } from 'node:events'
import { createServer } from 'node:net'

/** A free loopback port, for programs that cannot choose one themselves (port 0). */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Retries with other ports, because another program may take the port first. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await findFreePort())
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}
