/** Where the objects of a video are stored. The contract fixes the original, the HLS prefix and the master playlist. */
export const objectKeys = {
  /** How every key of ours begins. Others may use the bucket, too, and the rights of an instance end here. */
  root: 'videos/',
  original: (videoId: string, filename: string): string => `videos/${videoId}/original/${filename}`,
  /** Everything that belongs to a video. */
  allOf: (videoId: string): string => `videos/${videoId}/`,
  hlsPrefix: (videoId: string): string => `videos/${videoId}/hls/`,
  manifest: (videoId: string): string => `videos/${videoId}/hls/master.m3u8`,
  /** Everything that a participant has uploaded. Below the same root, where the rights of an instance and backups reach. */
  answersOf: (participantId: string): string => `videos/answers/${participantId}/`,
  /** An uploaded picture or sound. Below the same root as well. */
  mediaFile: (mediaId: string): string => `videos/media/${mediaId}`,
  poster: (videoId: string): string => `videos/${videoId}/hls/poster.jpg`,
}

/** Of an uploaded file, which becomes the end of a key. Object stores list keys in XML, which has no U+FFFE and U+FFFF. */
export const fileNamePattern = '^[^\\p{Cc}\\p{Cs}\\uFFFE\\uFFFF/\\\\]{1,255}$'

/** Of a master playlist. Only such output can be played: one name in the video's folder, without a path. */
export const manifestKeyPattern = '^videos/[A-Za-z0-9_-]{1,64}/hls/[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}\\.m3u8$'

const original = /^videos\/([\w-]{1,64})\/original\/[^/]+$/

/** The video whose original is stored under the key. Undefined for every other object, or output would trigger itself. */
export const videoIdOfOriginal = (key: string): string | undefined => original.exec(key)?.[1]

/** Of a file in an answer, as the server names it. */
export const fileIdPattern = '^file_[A-Za-z0-9_-]{22}$'

/** R32: the credential is part of the path, so that the relative entries of a playlist inherit it. */
export const mediaRoot = '/media/'

/** `<expiry>` in epoch seconds; the signature covers it and the video. */
export const mediaPath = (expiry: number, signature: string, key: string): string =>
  `${mediaRoot}${expiry}.${signature}/${key}`
