export { createMedia, type Media } from './media.ts'
export type { StoredVideo, TranscodingDeps } from './transcoding.ts'
export type { Hls, Video } from './video.ts'
