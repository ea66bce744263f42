import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

/** Where everything is. Only the process that serves the folder may write in it. */
export interface Layout {
  folder: string
  objects: string
  uploads: string
  temporary: string
  upload(uploadId: string): string
  part(uploadId: string, partNumber: number): string
  /** A new name among the files that no restart survives. */
  newTemporary(): string
}

export const uploadIdPattern = /^[\w-]{32}$/
export const newUploadId = (): string => randomBytes(24).toString('base64url')

/** In the folder of an upload: its facts, under the first name while it is open, under the second afterwards. */
export const uploadFile = { open: 'upload', completed: 'completed' } as const

export function layoutOf(folder: string): Layout {
  const uploads = join(folder, 'uploads')
  const temporary = join(folder, 'temporary')
  const upload = (uploadId: string): string => join(uploads, uploadId)
  return {
    folder,
    objects: join(folder, 'objects'),
    uploads,
    temporary,
    upload,
    part: (uploadId, partNumber) => join(upload(uploadId), String(partNumber).padStart(5, '0')),
    newTemporary: () => join(temporary, randomBytes(16).toString('hex')),
  }
}
