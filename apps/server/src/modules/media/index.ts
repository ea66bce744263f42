export { createMedia, type Media, type MediaDeps } from './media.ts'
export type { StoredVideo } from './transcoding.ts'
export type { Hls, Video } from './video.plan.ts'
