import type { RoomMoment } from '@atrium/contract'
import { useEffect, useState } from 'react'
import { indexOfNumber, waitAfter } from './player.ts'

/** Where the replay stands, and whether it moves by itself. */
export function usePlayer(moments: readonly RoomMoment[], startsAt: number | null) {
  const [number, setNumber] = useState(startsAt ?? moments[0]?.number ?? 0)
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const index = indexOfNumber(moments, number)
  const show = (wanted: number) => {
    const moment = moments[Math.min(Math.max(0, wanted), moments.length - 1)]
    if (moment) setNumber(moment.number)
  }
  const waitMs = isPlaying ? waitAfter(moments, index, speed) : null
  const next = moments[index + 1]?.number
  useEffect(() => {
    if (waitMs === null || next === undefined) return
    const timer = setTimeout(() => setNumber(next), waitMs)
    return () => clearTimeout(timer)
  }, [waitMs, next])
  const isAtEnd = next === undefined
  return {
    index,
    moment: moments[index],
    isPlaying: isPlaying && !isAtEnd,
    speed,
    setSpeed,
    /** By hand: it stops playing. */
    goTo(wanted: number): void {
      setPlaying(false)
      show(wanted)
    },
    toggle(): void {
      if (isAtEnd) show(0)
      setPlaying(isAtEnd || !isPlaying)
    },
  }
}
