import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { AppError } from '../kernel/app-error.ts'
import { type ArrivalRules, createArrivals, type Place } from './arrivals.ts'
import { type KeptFile, openNameless, partsOf } from './kept-file.ts'
import { badFile, type FileFacts, openForm, readForm, tooLarge } from './receive-form.ts'
import type { Uploader } from './upload-shares.ts'

export interface FileRules extends ArrivalRules {
  /** Of all files of a form together. */
  maxBytes: number
  /** One when absent. */
  maxFiles?: number
  /** What to do with a larger file; nothing can be done when absent. */
  otherwise?: string
  /** Throws if no such file is wanted; called before its content is read. */
  refuse(file: FileFacts): void
}

/** A file of a form. */
interface FormFile extends FileFacts {
  size: number
  /** From the first byte, each time. */
  open(): Readable
  /** So many bytes from a position on, or as many as there are. */
  readAt(position: number, length: number): Promise<Buffer>
}

export interface ReceivedFile extends FormFile {
  discard(): Promise<void>
}

export interface ReceivedFiles {
  /** At least one; some may be empty. */
  files: FormFile[]
  discard(): Promise<void>
}

/** Boundaries and headers around the files. */
const maxFramingBytes = 65_536
const framingBytesOfFile = 1_024

/** Reads the one field `file` of forms. */
export function createFileReceiver(rules: FileRules, arrivals = createArrivals(rules)) {
  const receiveAll = createFilesReceiver({ ...rules, maxFiles: 1 }, arrivals)
  return async (request: IncomingMessage, uploader: Uploader): Promise<ReceivedFile> => {
    const { files, discard } = await receiveAll(request, uploader)
    const [file] = files
    if (file && file.size > 0) return { ...file, discard }
    await discard()
    throw badFile('is empty')
  }
}

/** Reads one or many fields `file` of forms. */
export function createFilesReceiver(rules: FileRules, arrivals = createArrivals(rules)) {
  const { maxFiles = 1 } = rules
  const maxBodyBytes = rules.maxBytes + maxFramingBytes + maxFiles * framingBytesOfFile
  /**
   * The files are kept without a name, so that the system removes them however we end. In memory there is never more than a
   * chunk of them.
   */
  async function receive(request: IncomingMessage, place: Place): Promise<ReceivedFiles> {
    const form = openForm(request, rules.maxBytes, maxFiles)
    const kept: KeptFile = await openNameless(rules.folder).catch((error) => {
      throw asRefusal(error)
    })
    try {
      const parts = await readForm(request, form, kept, { ...rules, maxFiles, maxBodyBytes }, place)
      place.arrived()
      const discard = async (): Promise<void> => {
        await kept.close()
        place.leave()
      }
      return { files: partsOf(kept, parts), discard }
    } catch (error) {
      await kept.close()
      throw asRefusal(error)
    }
  }

  return async (request: IncomingMessage, uploader: Uploader): Promise<ReceivedFiles> => {
    const bytes = Number(request.headers['content-length'] ?? maxBodyBytes)
    if (bytes > maxBodyBytes) throw tooLarge(rules)
    const place = await arrivals.admit(uploader, bytes)
    try {
      return await receive(request, place)
    } catch (error) {
      place.leave()
      throw error
    }
  }
}

/** What a sender is told about a disk that cannot keep the file. */
function asRefusal(error: unknown): unknown {
  const code = String((error as { code?: unknown } | null)?.code)
  if (/^(ENOSPC|EDQUOT|EFBIG)$/.test(code)) return new AppError('STORAGE_FULL')
  return code === 'EROFS' ? new AppError('UNAVAILABLE', { reason: 'read_only' }) : error
}
