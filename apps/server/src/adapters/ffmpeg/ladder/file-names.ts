import type { LevelName } from '@atrium/contract'

/** As MediaConvert names them for the destination `…/hls/master` and the name modifier `_360p`. */
export const masterName = 'master.m3u8'
export const variantName = (level: LevelName): string => `master_${level}.m3u8`
export const segmentPattern = (level: LevelName): string => `master_${level}_%05d.ts`
export const firstSegmentNumber = 1
export const posterName = 'poster.jpg'
