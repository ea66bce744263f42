import { useEffect, useState } from 'react'

/** The time of the server: as it said, and as much later as has passed since. */
export function useNow(at: number): number {
  const [now, setNow] = useState(at)
  useEffect(() => {
    const heardAt = performance.now()
    setNow(at)
    const timer = setInterval(() => setNow(at + performance.now() - heardAt), 1_000)
    return () => clearInterval(timer)
  }, [at])
  return now
}

/** Tenths of a second that change every second only flicker. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.floor(ms / 1_000)) * 1_000
