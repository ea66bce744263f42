/** Where a download is written. */
export interface Sink {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>
  close(): Promise<void>
  /** Discards what has been written so far. */
  abort(): Promise<void>
}

export interface Received {
  bytes: number
  lines: number
}

/** Writes bytes to a sink and counts. If they break off, no partial file is left behind. */
export async function receive(
  bytes: AsyncIterable<Uint8Array<ArrayBuffer>>,
  sink: Sink,
  onProgress: (received: Received) => void,
): Promise<Received> {
  const received = { bytes: 0, lines: 0 }
  try {
    for await (const piece of bytes) {
      await sink.write(piece)
      received.bytes += piece.byteLength
      received.lines += countLines(piece)
      onProgress({ ...received })
    }
    await sink.close()
    return received
  } catch (error) {
    await sink.abort()
    throw error
  }
}

const newline = 10

function countLines(chunk: Uint8Array): number {
  let lines = 0
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1
  return lines
}
