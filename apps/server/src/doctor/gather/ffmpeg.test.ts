import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { gatherFfmpeg } from './ffmpeg.ts'

const temporary = createTemporaryFolder('doctor-ffmpeg')
afterAll(() => temporary.remove())

test.each([
  ['is permitted', 'exit 0', true],
  ['is installed, but not permitted', 'exit 1', false],
  ['is absent', undefined, false],
])('[R50] ffmpeg has a sandbox only where bubblewrap can be run: it %s', async (name, script, hasSandbox) => {
  const folder = join(temporary.path, name)
  await mkdir(folder)
  const programs = { ffmpeg: 'exit 0', ffprobe: 'exit 0', ...(script && { bwrap: script }) }
  for (const [program, body] of Object.entries(programs))
    await writeFile(join(folder, program), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  const config = readConfig({ DATA_DIR: temporary.path }, 'here')
  const facts = await gatherFfmpeg(config, folder, new AbortController().signal)
  expect(facts).toMatchObject({ notNeeded: undefined, hasSandbox })
})
