export interface Progress {
  frames: number
  /** How much of the video has been written. */
  outMs: number
}

/** Reads what `ffmpeg -progress` writes: lines of `key=value`, several times a second. */
export function progressReader(): { read(line: string): void; latest(): Progress } {
  let latest: Progress = { frames: 0, outMs: 0 }
  return {
    read(line) {
      const [key, value] = line.split('=', 2)
      const number = Number(value)
      if (!Number.isFinite(number)) return // `N/A` until the first frame is written.
      if (key === 'frame') latest = { ...latest, frames: number }
      if (key === 'out_time_us') latest = { ...latest, outMs: Math.max(0, number / 1000) }
    },
    latest: () => latest,
  }
}
