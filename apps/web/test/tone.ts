import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const samplesPerSecond = 8_000

/** A tone as a WAV file, which every browser plays in an audio or video element. */
function toneOf(durationMs: number): Buffer {
  const samples = Math.round((samplesPerSecond * durationMs) / 1_000)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20) // Not compressed.
  header.writeUInt16LE(1, 22) // One channel.
  header.writeUInt32LE(samplesPerSecond, 24)
  header.writeUInt32LE(samplesPerSecond, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples, 40)
  const wave = Buffer.from(
    Array.from({ length: samples }, (_, at) => 128 + Math.round(20 * Math.sin(at / 3))),
  )
  return Buffer.concat([header, wave])
}

/** A server outside the platform, where researchers keep their media. */
export async function serveTone(durationMs: number): Promise<{ address: string; stop(): void }> {
  const tone = toneOf(durationMs)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': tone.length }).end(tone)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/tone.wav`, stop: () => void server.close() }
}
