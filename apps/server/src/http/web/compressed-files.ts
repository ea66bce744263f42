import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

export interface CompressedFile {
  content: Buffer
  encoding: Encoding
  /** Of this form of the file. */
  etag: string
}

type Encoding = 'br' | 'gzip'

interface Kept {
  /** When the file was written, and its size. */
  version: string
  bytes: number
  /** Undefined = it is sent as it is. */
  file: Promise<CompressedFile | undefined>
}

/** In the order of preference: Brotli’s are smaller, and browsers ask for it only over https and on loopback. */
const encodings: Encoding[] = ['br', 'gzip']

/** Fits into one packet without compression. */
const smallBytes = 1_400
/** Larger than any file of the pages. */
const maxFileBytes = 4 * 1_048_576
/** All pages together take 3 MiB in both encodings. */
const maxKeptBytes = 32 * 1_048_576

/** All pages take 0.3 s of CPU at this level and 11 s at the highest, for 8 % fewer bytes. */
const brotliOptions: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** Of what is packaged (scripts/packages/compress-files.ts). */
const endings: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

const compressors: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, brotliOptions),
  gzip: promisify(gzip),
}

/**
 * The compressed forms of the files of a folder: those packaged beside them, or else made when they are first asked for.
 * That happens beside the event loop and once, however many ask and however often; what does not fit is sent as it is.
 */
export function createCompressedFiles(folder: string, maxBytes = maxKeptBytes) {
  const kept = new Map<string, Kept>()
  let keptBytes = 0

  function keep(name: string, encoding: Encoding, version: string, size: number): Kept {
    const key = `${encoding} ${name}`
    const last = kept.get(key)
    if (last?.version === version) return last
    keptBytes -= last?.bytes ?? 0
    const fits = keptBytes + size <= maxBytes
    // Its size before compression stands for what it will take, which is less.
    const entry = {
      version,
      bytes: fits ? size : 0,
      file: fits ? compress(join(folder, name), encoding) : Promise.resolve(undefined),
    }
    keptBytes += entry.bytes
    kept.set(key, entry)
    return entry
  }

  return {
    /** Undefined for a file that is sent as it is, or not found. Never rejects. */
    async find(name: string, accepted: string | undefined): Promise<CompressedFile | undefined> {
      const encoding = negotiate(accepted ?? '', encodings)
      if (encoding === null) return undefined
      const facts = await stat(join(folder, name)).catch(() => undefined)
      if (!facts?.isFile() || facts.size < smallBytes || facts.size > maxFileBytes) return undefined
      return keep(name, encoding, `${facts.mtimeMs} ${facts.size}`, facts.size).file
    },
  }
}

async function compress(path: string, encoding: Encoding): Promise<CompressedFile | undefined> {
  try {
    const packaged = await readFile(path + endings[encoding]).catch(() => undefined)
    const content = packaged ?? (await compressors[encoding](await readFile(path)))
    const etag = `"${createHash('sha256').update(content).digest('base64url')}"`
    return { content, encoding, etag }
  } catch {
    return undefined // Gone since: what is sent instead says so.
  }
}
