import { once } from 'node:events'
import { connect } from 'node:net'

/** A hand-made websocket in a namespace: no client library lets its user stop reading. */
export async function openByHand(port: number, namespace: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined) // Being cut off is what is expected.
  socket.write(
    [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      'Host: 127.0.0.1',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      '\r\n',
    ].join('\r\n'),
  )
  await once(socket, 'data')
  socket.write(frameOf(`40${namespace},`))
  socket.on('data', () => undefined)
  return socket
}

/** A text frame, masked with zeroes. */
export function frameOf(packet: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | packet.length, 0, 0, 0, 0]), Buffer.from(packet)])
}
