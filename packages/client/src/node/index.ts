// Also here, so that a program which only uploads does not load the sockets of the main entry.

export { ApiRefused, NoAnswer, UploadAborted, UploadFailed } from '../errors.ts'
export type { HeldFile, RunningHash } from '../exports/whole-file.ts'
export { isMediaFile } from '../upload/media-types.ts'
export { type MediaFileLike, mediaBatches, uploadMedia } from '../upload/upload-media.ts'
export type { UploadOptions, UploadProgress } from '../upload/upload-video.ts'
export {
  createDataClient,
  type DataClient,
  type DataPage,
  type DataQuery,
  runningSha256,
} from './data-client.ts'
export { fileMemory, uploadFile } from './upload-file.ts'
