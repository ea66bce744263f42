import { once } from 'node:events'
import { request } from 'node:http'

const path = '/socket.io/?EIO=4&transport=websocket'

/** Packets of the protocol as they are, for what no client library would send. */
export async function openRawSocket(address: string) {
  const socket = new WebSocket(address.replace('http', 'ws') + path)
  const received: string[] = []
  socket.addEventListener('message', ({ data }) => received.push(String(data)))
  await once(socket, 'open')
  return { received, send: (packet: string) => socket.send(packet), close: () => socket.close() }
}

/** The status of an upgrade from a page of that origin; 101 when it was granted. */
export async function upgradeStatus(address: string, origin: string): Promise<number | undefined> {
  const asked = request(address + path, {
    headers: {
      origin,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    },
  })
  asked.end()
  return await new Promise((resolve, reject) => {
    asked.once('error', reject)
    asked.once('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.once('upgrade', (response, socket) => {
      socket.destroy()
      resolve(response.statusCode)
    })
  })
}
