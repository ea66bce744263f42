import { waitUntil } from '@atrium/testkit'
import type { Namespace } from 'socket.io'
import { expect, it } from 'vitest'
import { createFanOut } from './fan-out.ts'
import { frameOf, openByHand } from './test/open-by-hand.ts'
import { serveNamespace } from './test/serve-namespace.ts'

const text = 'x'.repeat(65_536)
/** On their way to somebody who reads: well below what may wait, whenever that is checked. */
const atOnce = 8
/** Far more than the kernel buffers on both sides and may wait here, in packets and in bytes. */
const messages = 800

/** Everyone is in the room of their own socket. */
const senders = {
  'by Socket.IO': (flood: Namespace) => (news: object) => void flood.emit('news', news),
  directly: (flood: Namespace) => {
    const fanOut = createFanOut<string>(flood)
    return (news: object) => fanOut([...flood.sockets.keys()], 'news', news)
  },
}

it.each(Object.entries(senders))(
  '[R26] sent %s: a socket that does not read is dropped; one that reads is not',
  async (_name, sender) => {
    const { namespace: flood, port, reasons, close } = await serveNamespace('/flood')
    const news = { text }
    const send = sender(flood)
    const joined: string[] = []
    flood.on('connection', (socket) => joined.push(socket.id))
    const open = async () => {
      const socket = await openByHand(port, '/flood')
      const before = joined.length
      await waitUntil(() => joined.length > before || 'it has not joined')
      return socket
    }
    const slow = await open()
    const quick = await open()
    // Both answer pings, so that it is not the ping that finds the slow reader.
    const answerPings = () => {
      for (const socket of [slow, quick]) if (socket.writable) socket.write(frameOf('3'))
    }
    try {
      slow.pause()
      for (let sent = atOnce; sent <= messages; sent += atOnce) {
        for (let one = 0; one < atOnce; one++) send(news)
        await waitUntil(() => quick.bytesRead >= sent * text.length || 'the quick one reads')
        answerPings()
      }
      const [slowId = '', quickId = ''] = joined
      await waitUntil(() => {
        answerPings()
        return !flood.sockets.has(slowId) || 'the slow one is still there'
      })
      expect(reasons).toEqual([expect.stringMatching(/^transport (close|error)$/)])
      expect(flood.sockets.has(quickId)).toBe(true)
    } finally {
      slow.destroy()
      quick.destroy()
      await close()
    }
  },
)
