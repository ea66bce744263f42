import { once } from 'node:events'
import { createServer } from 'node:net'

/** A loopback port nobody listens on right now. For programs that cannot choose one themselves (port 0). */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Another program may take the port before ours does: then another port, a few times. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await findFreePort())
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}
