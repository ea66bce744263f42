import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import { afterAll, expect, test } from 'vitest'
import { FfmpegMissing } from '../failures.ts'
import { createToolFinder } from './tools.ts'

const temporary = createTemporaryFolder('tools')
afterAll(() => temporary.remove())

/** A script that passes for both programs when it is asked what it can do. */
async function makeProgram(name: string, script: string): Promise<string> {
  const folder = join(temporary.path, name)
  await mkdir(folder)
  const path = join(folder, 'program')
  await writeFile(
    path,
    `#!/bin/sh\ncase "$*" in *-hide_banner*) echo "Encoder libx264"; exit;; esac\n${script}\n`,
  )
  await chmod(path, 0o755)
  return path
}

async function findWith(path: string, searchPath = process.env.PATH ?? '') {
  const warnings: string[] = []
  const find = createToolFinder({
    ffmpegPath: path,
    ffprobePath: path,
    searchPath,
    warn: (_, message) => void warnings.push(message),
  })
  const folder = join(temporary.path, `job-${crypto.randomUUID()}`)
  await mkdir(folder)
  return { tools: await find(folder), folder, warnings, find }
}

const live = () => new AbortController().signal

test('[T2] programs get nothing of our environment and see no files but the job’s own, or a warning says so', async () => {
  process.env.ATRIUM_TEST_SECRET = 'secret'
  const other = join(temporary.path, 'other-job')
  await writeFile(other, 'the video of somebody else')
  const { tools, folder, warnings } = await findWith(await makeProgram('spy', `env; cat own; cat ${other}`))
  await writeFile(join(folder, 'own'), 'the video of this job')
  const { output } = await tools.ffprobe([], { folder, signal: live() })
  expect(output).toContain('the video of this job')
  expect(output).not.toContain('ATRIUM_TEST_SECRET')
  expect(output.includes('somebody else')).toBe(warnings.length > 0)
  expect(warnings.length).toBeLessThanOrEqual(1)
})

test('[T2] where nothing can confine them, they run with one warning', async () => {
  const { tools, folder, warnings, find } = await findWith(
    await makeProgram('bare', 'echo here'),
    '/bin:/usr/bin/nowhere',
  )
  await find(folder)
  expect((await tools.ffmpeg([], { folder, signal: live() })).output).toBe('here\n')
  expect(warnings.filter((warning) => warning.includes('without a sandbox')).length).toBeLessThanOrEqual(1)
})

test('[T2] bubblewrap that is installed after ffmpeg confines the next job', async () => {
  const bin = join(temporary.path, 'bin')
  await mkdir(bin)
  const { folder, warnings, find } = await findWith(await makeProgram('early', 'echo here'), bin)
  expect(warnings.length).toBe(1)
  // Says that it was there, and runs what it is to confine, which is the last of its own arguments.
  const script = `#!/bin/sh\necho confined\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n`
  await writeFile(join(bin, 'bwrap'), script, { mode: 0o755 })
  const { output } = await (await find(folder)).ffmpeg([], { folder, signal: live() })
  expect(output).toBe('confined\nhere\n')
  expect(warnings.length).toBe(1)
})

test('[T14] a program is killed with everything that it has started', async () => {
  const { tools, folder } = await findWith(
    await makeProgram('parent', 'echo started; sleep 1000 & sleep 1000'),
  )
  const stop = new AbortController()
  let hasStarted = false
  const run = tools.ffmpeg([], {
    folder,
    signal: stop.signal,
    onLine: () => {
      hasStarted = true
    },
  })
  run.catch(() => undefined)
  await waitUntil(() => hasStarted || 'the program has not started')
  stop.abort(new Error('enough'))
  // Resolves only when nobody holds its output any more, neither it nor its children.
  await expect(run).rejects.toThrow('enough')
})

test('[T3] a program that writes without end is killed', async () => {
  const { tools, folder } = await findWith(await makeProgram('loud', 'yes'))
  const { code, output } = await tools.ffprobe([], { folder, signal: live() })
  expect(code).toBeNull()
  expect(output.length).toBeLessThan(2_000_000)
})

test('[T1] an ffmpeg without libx264 is named', async () => {
  const path = await makeProgram('free', 'exit 0')
  await writeFile(path, '#!/bin/sh\necho "Codec libx264 is not recognized"\n')
  await expect(findWith(path)).rejects.toThrow(FfmpegMissing)
  await expect(findWith(path)).rejects.toThrow('without libx264')
})
