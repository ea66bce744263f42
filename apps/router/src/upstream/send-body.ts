import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Sends the body of a client's request on, no faster than the backend reads. The returned function lets go of the
 * request, which may still be coming: a backend may answer before it has read everything.
 */
export function sendBody(request: IncomingMessage, socket: Socket, onSent: () => void): () => void {
  const isChunked = request.headers['transfer-encoding'] !== undefined
  const onData = (chunk: Buffer) => {
    const goesOn = isChunked ? writeChunk(socket, chunk) : socket.write(chunk)
    if (!goesOn) request.pause()
  }
  const onDrain = () => void request.resume()
  const onEnd = () => {
    stop()
    if (isChunked) socket.write('0\r\n\r\n', 'latin1')
    onSent()
  }
  const stop = () => {
    request.off('data', onData).off('end', onEnd)
    socket.off('drain', onDrain)
  }
  request.on('data', onData).on('end', onEnd)
  socket.on('drain', onDrain)
  return stop
}

function writeChunk(socket: Socket, chunk: Buffer): boolean {
  socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1')
  socket.write(chunk)
  return socket.write('\r\n', 'latin1')
}
