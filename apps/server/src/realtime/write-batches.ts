import type { Server } from 'socket.io'
import { type EngineSocket, wireOf } from './websocket.ts'

/**
 * Engine.IO writes the first packet at once and lets later ones wait until it is on the wire. Somebody who acts receives
 * an event and an acknowledgement, which would be two writes, and a write is the most expensive part of a delivery. So
 * the packets of one turn of the event loop are held until its end and leave in one write, in their order.
 */
export function batchWrites(engine: Server['engine']): void {
  let held: EngineSocket[] = []

  function release(): void {
    const connections = held
    held = []
    for (const connection of connections) {
      const { transport } = connection
      const wire = wireOf(connection)
      wire.cork()
      transport.writable = true
      transport.emit('ready')
      wire.uncork()
    }
  }

  engine.on('connection', (connection: EngineSocket) => {
    connection.on('packetCreate', () => {
      const { transport } = connection
      // Not writable: already held, or still writing, and then it goes on by itself.
      if (!transport.writable) return
      transport.writable = false
      // After all promises that are settled in this turn, such as those of the actions of one commit.
      if (held.length === 0) process.nextTick(release)
      held.push(connection)
    })
  })
}
