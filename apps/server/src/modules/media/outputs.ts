import { type LevelName, levelNames } from '@atrium/contract'

/** What a transcoder's own report of its outputs tells us. It is whatever the transcoder sends, so nothing is required. */
export interface OutputFacts {
  levels: LevelName[]
  durationMs: number | null
}

/** The report may be a megabyte of anything; ours has four outputs. */
const mostOutputs = 100
const longestMs = 8_640_000_000

/** Reads `outputGroupDetails` of MediaConvert's job events, whose shape our own transcoders share. */
export function outputFactsOf(outputs: readonly unknown[] = []): OutputFacts {
  const details = outputs
    .slice(0, mostOutputs)
    .flatMap((group) => listIn(group, 'outputDetails').slice(0, mostOutputs))
  const paths = details.flatMap((output) => listIn(output, 'outputFilePaths').slice(0, mostOutputs))
  const named = new Set(
    paths.flatMap((path) =>
      typeof path === 'string' ? [/_(\d{3,4}p)\.m3u8$/.exec(path.slice(-64))?.[1]] : [],
    ),
  )
  const durations = details.map((output) => fieldOf(output, 'durationInMs')).filter(isDuration)
  return {
    levels: levelNames.filter((name) => named.has(name)),
    durationMs: durations.length > 0 ? Math.round(Math.max(...durations)) : null,
  }
}

const isDuration = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= longestMs

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

function listIn(value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name)
  return Array.isArray(list) ? list : []
}
