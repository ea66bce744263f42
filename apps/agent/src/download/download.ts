import { mkdir, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ensurePrivateFolder } from '../files/index.ts'
import { inGigabytes } from '../hardware/index.ts'
import { Misuse } from '../misuse.ts'
import type { DownloadLimits, DownloadOptions } from './download-options.ts'
import { takeLock } from './lock.ts'
import { openPart, type PartFile } from './part-file.ts'
import { receive } from './receive.ts'
import { readFileRecord, sha256Of, statFile, writeRecord } from './record.ts'
import { BrokenOff, openRemote, type RemoteFile } from './remote-file.ts'
import { watchSilence } from './silence.ts'

const defaultLimits: DownloadLimits = {
  silenceMs: 60_000,
  pauseMs: 1_000,
  fruitlessAttempts: 5,
  attempts: 500,
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  },
}

const longestPauseMs = 30_000
/** Left for everything else on the disk. */
const reserveBytes = 268_435_456
/** Larger than any file that we could use. */
const maxBytes = 2 ** 41

/** The path of the file in the cache; downloaded now, unless it is there and whole. */
export async function download(options: DownloadOptions): Promise<string> {
  await ensurePrivateFolder(options.cacheFolder, options.say)
  const target = join(options.cacheFolder, options.path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  if (await isThere(target, options)) return target
  const release = await takeLock(`${target}.lock`, options.what)
  try {
    // Somebody else may have finished it before we had the lock.
    if (!(await isThere(target, options))) await fetchFile(target, options)
    return target
  } finally {
    await release()
  }
}

const recordOf = (target: string): string => `${target}.json`

async function isThere(target: string, options: DownloadOptions): Promise<boolean> {
  const file = await statFile(target)
  if (file === undefined) return false
  const record = await readFileRecord(recordOf(target))
  const isUnchanged = record?.bytes === file.bytes && record.modifiedAtMs === file.modifiedAtMs
  const expected = options.sha256 ?? record?.sha256
  if (isUnchanged && record.sha256 === expected) return true
  options.say(`Checking ${options.what} in the cache …`)
  const sha256 = await sha256Of(target, options.signal)
  if (expected !== undefined && sha256 !== expected)
    throw new Misuse(
      `${target} is not ${options.what}, or it is damaged: its checksum is another one. Remove the file and run the command again.`,
    )
  await writeRecord(recordOf(target), { url: options.url, sha256, ...file })
  return true
}

async function fetchFile(target: string, options: DownloadOptions): Promise<void> {
  const part = await openPart(`${target}.part`, options.signal)
  try {
    const announcedSha256 = await fetchPart(part, options)
    const sha256 = await part.finish()
    const first = await readFileRecord(recordOf(target))
    const expected = options.sha256 ?? announcedSha256 ?? first?.sha256
    if (expected !== undefined && sha256 !== expected) {
      await part.discard()
      throw new Misuse(
        `${options.what} does not have the expected checksum: it was damaged on the way, or is another file now. It was removed. Run the command again; if that does not help, do not use it.`,
      )
    }
    if (expected === undefined)
      options.say(
        `No checksum is published for ${options.what}. Its size is the one that the server announced; later downloads are compared with its SHA-256, ${sha256}.`,
      )
    await rename(`${target}.part`, target)
    await rm(`${target}.part.json`, { force: true })
    const file = await statFile(target)
    if (file) await writeRecord(recordOf(target), { url: options.url, sha256, ...file })
  } finally {
    await part.close()
  }
}

/** Fetches until the part is whole. Returns the checksum that the server announced, if it did. */
async function fetchPart(part: PartFile, options: DownloadOptions): Promise<string | undefined> {
  const limits = { ...defaultLimits, ...options.limits }
  const startedAtBytes = part.bytes
  let fruitless = 0
  for (let attempt = 1; ; attempt++) {
    const before = part.bytes
    try {
      return await attemptPart(part, options, limits, startedAtBytes)
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason
      if (!(error instanceof BrokenOff)) throw error
      fruitless = part.bytes > before ? 0 : fruitless + 1
      if (fruitless >= limits.fruitlessAttempts || attempt >= limits.attempts)
        throw new Misuse(
          `The download of ${options.what} broke off: ${error.message}. Check the connection and run the command again: it continues where it stopped.${options.instead === undefined ? '' : ` ${options.instead}.`}`,
        )
      const pauseMs = Math.min(longestPauseMs, limits.pauseMs * 2 ** fruitless)
      // Not where something has arrived: then the progress says enough.
      if (fruitless > 0)
        options.say(
          `${options.what}: ${error.message}. Trying again in ${Math.ceil(pauseMs / 1_000)} s (attempt ${fruitless + 1} of ${limits.fruitlessAttempts}).`,
        )
      await delay(pauseMs, undefined, { signal: options.signal })
    }
  }
}

async function attemptPart(
  part: PartFile,
  options: DownloadOptions,
  limits: DownloadLimits,
  startedAtBytes: number,
): Promise<string | undefined> {
  const watch = watchSilence(options.signal, limits.silenceMs)
  try {
    const remote = await openFrom(part, options, watch.signal)
    if (remote.kind === 'nothing-left') return remote.sha256
    const { totalBytes } = part.record ?? { totalBytes: 0 }
    const free = await limits.freeBytes(dirname(join(options.cacheFolder, options.path)))
    if (free < totalBytes - part.bytes + reserveBytes)
      throw new Misuse(
        `${options.what} needs another ${inGigabytes(totalBytes - part.bytes)} in ${options.cacheFolder}, where only ${inGigabytes(free)} are free. Free some space, or set XDG_CACHE_HOME to a larger disk.`,
      )
    await receive(remote.body, part, options, { onChunk: watch.heard, startedAtBytes })
    return remote.sha256
  } catch (error) {
    if (watch.isSilent()) throw new BrokenOff(`nothing arrived for ${limits.silenceMs / 1_000} s`)
    throw error
  } finally {
    watch.stop()
  }
}

/** Not every server looks at If-Range: another file may have the same size. */
const belongsTo = (
  record: PartFile['record'],
  { totalBytes, validator }: Pick<RemoteFile, 'totalBytes' | 'validator'>,
): boolean =>
  totalBytes === record?.totalBytes &&
  (validator === undefined || record?.validator === undefined || validator === record.validator)

/** Asks for the rest, or for everything if what is there does not belong to the file that the server has now. */
async function openFrom(part: PartFile, options: DownloadOptions, signal: AbortSignal): Promise<RemoteFile> {
  const { url, token, sha256, what } = options
  const { record } = part
  // Without a validator, only a checksum can tell whether the rest belongs to the beginning.
  const canContinue = record?.url === url && (record.validator !== undefined || sha256 !== undefined)
  const from = canContinue ? part.bytes : 0
  const remote = await openRemote({ url, token, signal, from, validator: record?.validator })
  const isWhole = remote.kind === 'nothing-left' && from === record?.totalBytes
  if (isWhole || (remote.kind === 'rest' && belongsTo(record, remote))) return remote
  if (remote.kind !== 'whole') {
    await part.restart()
    throw new BrokenOff('the file has changed meanwhile')
  }
  const totalBytes = remote.totalBytes ?? options.bytes
  if (totalBytes === undefined || totalBytes > maxBytes)
    throw new Misuse(`The server does not say how large ${what} is. Give another address.`)
  if (options.bytes !== undefined && totalBytes !== options.bytes)
    throw new Misuse(
      `${what} should have ${options.bytes} bytes, but the server has a file of ${totalBytes}: it is another one. Update this tool, or choose another model.`,
    )
  await part.begin({
    url,
    totalBytes,
    ...(remote.validator !== undefined && { validator: remote.validator }),
  })
  return remote
}
