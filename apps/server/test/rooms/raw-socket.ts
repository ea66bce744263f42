import { once } from 'node:events'
import { waitUntil } from '@atrium/testkit'

const path = '/socket.io/?EIO=4&transport=websocket'

export type RawSocket = Awaited<ReturnType<typeof openRawSocket>>

/** Sends raw protocol packets that no client library would send. Only pings are answered. */
export async function openRawSocket(address: string, query = '', headers: Record<string, string> = {}) {
  // Node's WebSocket accepts headers, which the browser type does not declare.
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
  await Promise.race([once(socket, 'open'), once(socket, 'close')])
  if (isClosed) throw new Error('the websocket was refused')
  return {
    received,
    isClosed: (): boolean => isClosed,
    send: (packet: string | Uint8Array<ArrayBuffer>): void => socket.send(packet),
    close: (): void => socket.close(),
  }
}

/** A connection to a room on which every packet can be written by hand. */
export async function openRawRoom(
  address: string,
  { sessionId, sessionToken, roomId }: { sessionId: string; sessionToken: string; roomId: string },
  namespace: '/experiment' | '/sync' = '/experiment',
) {
  const socket = await openRawSocket(address, `&roomId=${roomId}`)
  const packet = (start: string) => () =>
    socket.received.some((one) => one.startsWith(start)) || `nothing that starts with ${start}`
  socket.send(`40${namespace},${JSON.stringify({ sessionId, sessionToken })}`)
  await waitUntil(
    packet(namespace === '/sync' ? '42/sync,["playback_state"' : '42/experiment,["room_snapshot"'),
  )
  let acks = 0
  return {
    ...socket,
    /** Sends the payload as this text and returns the code of the refusal, if any. */
    async refusal(name: string, payload: string): Promise<string | undefined> {
      const id = ++acks
      socket.send(`42${namespace},${id}["${name}",${payload}]`)
      const start = `43${namespace},${id}`
      await waitUntil(packet(`${start}[`), { timeoutMs: 240_000 })
      const answer = socket.received.find((one) => one.startsWith(`${start}[`))?.slice(start.length) ?? '[]'
      const [ack] = JSON.parse(answer) as [{ ok: boolean; error?: { code: string } }]
      return ack.error?.code
    },
  }
}
