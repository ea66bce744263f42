// Also here, so that a program which only uploads does not load the sockets of the main entry.

export { ApiRefused, NoAnswer, UploadAborted, UploadFailed } from '../errors.ts'
export type { HeldFile, RunningHash } from '../exports/whole-file.ts'
export type { UploadProgress } from '../upload/upload-video.ts'
export { createDataClient, type DataClient, type DataPage, type DataQuery } from './data-client.ts'
export { fileMemory } from './file-memory.ts'
export { runningSha256 } from './running-sha256.ts'
export { uploadFile } from './upload-file.ts'
