import { randomBytes } from 'node:crypto'
import { chmod, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Misuse } from '../misuse.ts'
import { oneLine } from '../one-line.ts'
import { executableName, programBelow, type RunProgram } from '../processes/index.ts'

export interface DownloadedRelease {
  /** Paths of downloads: first the one with the program, then those with libraries that belong beside it. */
  files: readonly string[]
  /** Without `.exe`. */
  program: string
  /** Where everything is going to be. */
  folder: string
  platform: string
  run: RunProgram
  /** Throws if the program must not be used. */
  check(program: string): Promise<void>
}

const unpackWithinMs = 600_000

/**
 * Puts a release into its folder, whole or not at all, removes the downloads, and returns the path of the program. What is in
 * the folder already is replaced.
 */
export async function unpackRelease(release: DownloadedRelease): Promise<string> {
  const { files, program, folder, platform, check } = release
  const draft = `${folder}.${randomBytes(6).toString('hex')}`
  try {
    for (const [index, file] of files.entries()) await unpack(file, join(draft, String(index)), release)
    const unpacked = await programBelow(join(draft, '0'), program, platform)
    if (unpacked === undefined) throw new Misuse(`${files[0]} has no ${program} in it. Install it yourself.`)
    for (const index of files.keys())
      if (index > 0) await moveFiles(join(draft, String(index)), dirname(unpacked))
    // Checked before it counts: a program that cannot be used is not left in the cache.
    await check(unpacked)
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder).catch(async (error: unknown) => {
      // Another process may have been faster.
      if ((await programBelow(folder, program, platform)) === undefined) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  for (const file of files) for (const path of [file, `${file}.json`]) await rm(path, { force: true })
  const path = await programBelow(folder, program, platform)
  if (path === undefined) throw new Misuse(`${folder} was removed meanwhile. Run the command again.`)
  return path
}

/** `tar` of every system reads .tar.gz; that of Windows and macOS reads .zip as well. */
async function unpack(
  file: string,
  folder: string,
  { program, platform, run }: DownloadedRelease,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!/\.(tar\.gz|tgz|zip)$/.test(file)) {
    const path = join(folder, executableName(program, platform))
    await copyFile(file, path)
    return chmod(path, 0o700)
  }
  const args = ['-x', '-f', file, '-C', folder, '--no-same-owner']
  const end = await run('tar', args, { timeoutMs: unpackWithinMs })
  if (end.kind === 'missing')
    throw new Misuse(
      'There is no program tar to unpack the download. Install tar, and run the command again.',
    )
  if (end.kind === 'timeout' || end.code !== 0)
    throw new Misuse(
      `${file} cannot be unpacked${end.kind === 'ended' ? `: ${oneLine(end.stderr)}` : ''}. Free some space and run the command again.`,
    )
}

/** Libraries are looked for beside the program. */
async function moveFiles(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = join(from, entry.name)
    if (entry.isDirectory()) await moveFiles(path, to)
    else await rename(path, join(to, entry.name))
  }
}
