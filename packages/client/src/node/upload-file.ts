import { startUpload, type Upload, type UploadOptions } from '../upload/upload-video.ts'
import { fileMemory } from './file-memory.ts'
import { diskSource } from './file-source.ts'

/** As `uploadVideo`, for a file on disk. By default a restarted program resumes what it had begun. */
export async function uploadFile(path: string, options: UploadOptions): Promise<Upload> {
  return startUpload(await diskSource(path), { memory: fileMemory(), ...options })
}
