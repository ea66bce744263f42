import { RoomAck } from '@atrium/contract'
import { type SocketSession, waitUntil } from '@atrium/testkit'
import { Compile } from 'typebox/compile'
import { openRawSocket } from '../rooms/raw-socket.ts'

const acks = Compile(RoomAck)

export type HostileSocket = Awaited<ReturnType<typeof openHostileSocket>>

/** A socket in a room that sends raw packets, which no client library would send. */
export async function openHostileSocket(address: string, session: SocketSession) {
  const { roomId, sessionId, sessionToken } = session
  const socket = await openRawSocket(address, `&roomId=${roomId}`)
  const find = (start: string) => socket.received.find((packet) => packet.startsWith(start))
  const received = async (start: string): Promise<string | undefined> => {
    await waitUntil(() => find(start) !== undefined || socket.isClosed() || `nothing starts with ${start}`)
    return find(start)
  }
  socket.send(`40/experiment,${JSON.stringify({ sessionId, sessionToken })}`)
  if (!(await received('42/experiment,["room_snapshot"')))
    throw new Error(`the handshake was refused: ${socket.received.join()}`)
  let sent = 0

  return {
    isOpen: () => !socket.isClosed(),
    /** The acknowledgement, or undefined if the server closed the connection instead. */
    async act(name: string, rawPayload: string): Promise<RoomAck | undefined> {
      const start = `43/experiment,${sent}[`
      if (!socket.isClosed()) socket.send(`42/experiment,${sent}[${JSON.stringify(name)},${rawPayload}]`)
      sent++
      const packet = await received(start)
      if (packet === undefined) return undefined
      const ack: unknown = JSON.parse(packet.slice(start.length, -1))
      if (!acks.Check(ack)) throw new Error(`not an acknowledgement: ${packet}`)
      return ack as RoomAck
    },
  }
}
