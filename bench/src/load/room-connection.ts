import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A socket in a room of the platform or of a server that speaks its protocol, or a raw socket. */
export interface SocketToOpen {
  address: string
  roomId: string
  /** What is sent to the namespace; `null` for a raw socket, which has no handshake. */
  auth: object | null
}

export interface RoomListener {
  /** A chat message of the room, as the raw packet. */
  message(packet: string): void
  acknowledged(id: number, isOk: boolean, packet: string): void
  /** The next page of the room. */
  entered?(): void
  /** Anything at all. */
  received?(bytes: number): void
}

export type RoomConnection = Awaited<ReturnType<typeof openRoomConnection>>

const namespace = '/experiment,'
const event = `42${namespace}`
const acknowledgement = `43${namespace}`

/**
 * One participant. Implements Socket.IO's protocol by hand: its client would take as much CPU time as the servers under
 * test, and both share the machine.
 */
export async function openRoomConnection({ address, roomId, auth }: SocketToOpen, listener: RoomListener) {
  const path = auth ? '/socket.io/?EIO=4&transport=websocket&' : '/?'
  const socket = new WebSocket(`${address.replace('http', 'ws')}${path}roomId=${roomId}`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
    headers: { 'user-agent': 'atrium-bench/1.0' },
  })
  let isClosing = false
  const broken = new Promise<never>((_, reject) => {
    socket.once('error', reject)
    socket.once('close', (code) => {
      if (!isClosing) reject(new Error(`the server closed a socket: ${code}`))
    })
  })
  broken.catch(() => undefined) // Checked when the round is over.

  const entered = new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      const packet = data.toString()
      listener.received?.(data.length)
      if (packet.includes('"type":"message"')) listener.message(packet)
      else if (packet.startsWith(acknowledgement)) readAcknowledgement(packet, listener)
      else if (packet.includes('"type":"state_entered"')) listener.entered?.()
      else if (packet === '2') socket.send('3')
      else if (packet.startsWith('0')) socket.send(`40${namespace}${JSON.stringify(auth)}`)
      else if (packet.startsWith(`${event}["room_snapshot"`)) resolve()
      else if (packet.startsWith('44')) reject(new Error(`a handshake was refused: ${packet}`))
    })
  })
  await Promise.race([auth ? entered : once(socket, 'open'), broken])
  return {
    broken,
    chat: (id: number, text: string): void =>
      socket.send(`${event}${id}["send_message",{"actionId":"a${id}","text":"${text}"}]`),
    answer: (id: number, value: number): void =>
      socket.send(
        `${event}${id}["submit_response",{"actionId":"a${id}","componentId":"guess","value":${value}}]`,
      ),
    close(): void {
      isClosing = true
      socket.terminate()
    },
  }
}

function readAcknowledgement(packet: string, listener: RoomListener): void {
  const start = packet.indexOf('[')
  const id = Number(packet.slice(acknowledgement.length, start))
  listener.acknowledged(id, packet.startsWith('[{"ok":true', start), packet)
}
