import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { Misuse } from '../../misuse.ts'

/** Where the file of a model is, or comes from. */
export type ModelSource =
  | { kind: 'file'; path: string }
  | { kind: 'download'; url: string; path: string; bytes?: number; sha256?: string }

/** The address is part of the path, because files of one name are at many addresses. */
export function fromAddress(url: string): ModelSource {
  const file = basename(new URL(url).pathname)
  if (/-\d{5}-of-\d{5}\.gguf$/i.test(file))
    throw new Misuse(
      `${file} is one of several files of a model. Download all of them, and give the path of the first: --model ./${file}.`,
    )
  const address = createHash('sha256').update(url).digest('hex').slice(0, 12)
  return { kind: 'download', url, path: `models/${address}-${file.replace(/[^\w.-]/g, '_')}` }
}

/** The name that clients see. */
export const nameOf = (pathOrUrl: string): string =>
  basename(pathOrUrl.replace(/[?#].*$/, '')).replace(/\.gguf$/i, '')
