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

/** Writes a stream to a sink and counts. An interrupted stream leaves no partial file behind. */
export async function receive(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  sink: Sink,
  onProgress: (received: Received) => void,
): Promise<Received> {
  const received = { bytes: 0, lines: 0 }
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      await sink.write(value)
      received.bytes += value.byteLength
      received.lines += countLines(value)
      onProgress({ ...received })
    }
    await sink.close()
    return received
  } catch (error) {
    await sink.abort()
    throw error
  } finally {
    reader.releaseLock()
  }
}

const newline = 10

function countLines(chunk: Uint8Array): number {
  let lines = 0
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1
  return lines
}
