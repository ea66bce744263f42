/** The quality levels of a transcoded video, lowest first. The contract fixes names, sizes and bit rates. */
export const qualityLevels = [
  { name: '360p', width: 640, height: 360, bitsPerSecond: 800_000 },
  { name: '480p', width: 854, height: 480, bitsPerSecond: 1_400_000 },
  { name: '720p', width: 1280, height: 720, bitsPerSecond: 2_800_000 },
  { name: '1080p', width: 1920, height: 1080, bitsPerSecond: 5_000_000 },
] as const

export type QualityLevel = (typeof qualityLevels)[number]
export type LevelName = QualityLevel['name']
export const levelNames = qualityLevels.map(({ name }) => name)

/** The lowest level always, the others only up to the height at which the source is displayed. */
export const levelsFor = (displayHeight: number): QualityLevel[] =>
  qualityLevels.filter(({ height }, index) => index === 0 || height <= displayHeight)

export const hlsOutput = {
  segmentSeconds: 6,
  /** Without it MediaConvert puts segments into subdirectories, where players do not find them. */
  segmentsPerSubdirectory: 10_000,
  audioBitsPerSecond: 128_000,
  audioHz: 48_000,
} as const
