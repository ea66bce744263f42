import { createHash } from 'node:crypto'
import { limits, type MediaType } from '@atrium/contract'
import { baseNameOf, mediaNameIssue, repeatedNames } from './media-names.ts'
import { headBytes, sniff } from './sniff.ts'
import { type ArrivedMedia, openZip } from './unzip.ts'
import { BadZip, type ReadAt } from './zip-directory.ts'

/** A file of a form, kept where any part of it can be read. */
export interface ReceivedPart {
  filename: string
  size: number
  open: ArrivedMedia['open']
  readAt: ReadAt
}

/** A picture or a sound that may be stored. */
export interface InspectedMedia {
  name: string
  type: MediaType
  bytes: number
  sha256: string
  open: ArrivedMedia['open']
}

export type Inspected = { kind: 'fine'; files: InspectedMedia[] } | { kind: 'refused'; issues: string[] }

/** Nobody reads more than this at a time. */
const maxIssues = 20

/**
 * What the files of an upload are, before anything of them is stored: all are read to their end, so that what is stored
 * afterwards cannot fail on what they contain. Issues are sentences that name the file.
 */
export async function inspectUpload(parts: readonly ReceivedPart[]): Promise<Inspected> {
  try {
    const arrived = await Promise.all(parts.map(unpacked))
    return await inspectAll(arrived.flat())
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', issues: [error.message] }
    throw error
  }
}

class Refused extends Error {}

/** The file itself, or what is in it if it is a ZIP. */
async function unpacked({ filename, size, open, readAt }: ReceivedPart): Promise<ArrivedMedia[]> {
  const itself = [{ name: filename, bytes: size, open }]
  if (sniff(await readAt(0, Math.min(headBytes, size))).kind !== 'zip') return itself
  return await naming(filename, async () => {
    const files = await openZip(readAt, size, limits.media.filesPerUpload)
    if (files.length === 0) throw new BadZip('has no files in it')
    return files
  })
}

async function inspectAll(arrived: readonly ArrivedMedia[]): Promise<Inspected> {
  const { filesPerUpload, uploadBytes } = limits.media
  if (arrived.length > filesPerUpload)
    throw new Refused(`There are ${arrived.length} files; at most ${filesPerUpload} are taken at a time`)
  // What a ZIP claims; unpacking never yields more.
  const claimed = arrived.reduce((sum, { bytes }) => sum + bytes, 0)
  if (claimed > uploadBytes)
    throw new Refused(`Unpacked, the files have ${claimed} bytes; at most ${uploadBytes} are taken at a time`)
  const files: InspectedMedia[] = []
  const issues = repeatedNames(arrived.map(({ name }) => baseNameOf(name))).map(
    (name) =>
      `More than one of the files is named ‘${name}’, and folders are not kept; give them different names`,
  )
  for (const one of arrived) {
    if (issues.length >= maxIssues) break
    const found = await inspect(one)
    if (typeof found === 'string') issues.push(found)
    else files.push(found)
  }
  return issues.length > 0 ? { kind: 'refused', issues } : { kind: 'fine', files }
}

/** Returns what is wrong with it, as a sentence. */
async function inspect({ name: path, bytes, open }: ArrivedMedia): Promise<InspectedMedia | string> {
  const name = baseNameOf(path)
  const nameIssue = mediaNameIssue(name)
  if (nameIssue) return `The name ‘${name.slice(0, 255)}’ ${nameIssue}`
  const { fileBytes } = limits.media
  if (bytes === 0) return `‘${name}’ is empty`
  if (bytes > fileBytes)
    return `‘${name}’ has ${bytes} bytes; a picture or a sound may have at most ${fileBytes}`
  return await naming(name, async () => {
    const { head, sha256 } = await readThrough(open)
    const found = sniff(head)
    if (found.kind === 'zip') return `‘${name}’ is a ZIP inside another one; unpack it first`
    if (found.kind === 'refused') return `‘${name}’ ${found.because}`
    return { name, type: found.type, bytes, sha256, open }
  })
}

async function readThrough(open: ArrivedMedia['open']): Promise<{ head: Buffer; sha256: string }> {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  for await (const chunk of open()) {
    hash.update(chunk)
    if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
  }
  return { head, sha256: hash.digest('hex') }
}

async function naming<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof BadZip ? new Refused(`‘${name}’ ${error.message}`) : error
  }
}
