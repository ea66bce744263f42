import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll, expect, test } from 'vitest'
import { createFileSink } from './file-sink.ts'

const folder = createTemporaryFolder('sink')
afterAll(() => folder.remove())

/** What is in the file after the pieces were written, each overwritten as soon as the sink has taken it. */
async function written(name: string, pieces: Iterable<Buffer>): Promise<Buffer> {
  const path = join(folder.path, name)
  const file = await open(path, 'wx+')
  const sink = createFileSink(file)
  for (const piece of pieces) {
    const sent = Buffer.from(piece)
    await sink.write(sent)
    sent.fill(0)
  }
  await sink.end()
  await file.close()
  return readFileSync(path)
}

function* cut(bytes: Buffer, lengths: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    yield bytes.subarray(at, at + length)
    at += length
  }
}

test('[O19] a sink keeps nothing of the pieces it was given, however small or large they are', async () => {
  const bytes = randomBytes(1_500_001)
  for (const lengths of [[1, 2, 3], [65_536], [262_144], [262_143, 2], [700_000, 1]])
    expect((await written(`${lengths}`, cut(bytes, lengths))).equals(bytes), `${lengths}`).toBe(true)
  expect(await written('nothing', [])).toHaveLength(0)
})
