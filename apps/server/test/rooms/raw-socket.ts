import { once } from 'node:events'

const path = '/socket.io/?EIO=4&transport=websocket'

export type RawSocket = Awaited<ReturnType<typeof openRawSocket>>

/** Packets of the protocol as they are, for what no client library would send. Only pings are answered. */
export async function openRawSocket(address: string, query = '', headers: Record<string, string> = {}) {
  // Node's takes headers, which the type of browsers does not know.
  const options = { headers: { 'user-agent': 'atrium-test/1.0', ...headers } } as unknown as string[]
  const socket = new WebSocket(`${address.replace('http', 'ws')}${path}${query}`, options)
  const received: string[] = []
  let isClosed = false
  socket.addEventListener('message', ({ data }) => {
    if (data === '2') socket.send('3')
    else received.push(String(data))
  })
  socket.addEventListener('close', () => {
    isClosed = true
  })
  socket.addEventListener('error', () => undefined)
  await once(socket, 'open')
  return {
    received,
    isClosed: (): boolean => isClosed,
    send: (packet: string | Uint8Array<ArrayBuffer>): void => socket.send(packet),
    close: (): void => socket.close(),
  }
}
