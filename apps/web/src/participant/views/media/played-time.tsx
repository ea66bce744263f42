import { useEffect, useState } from 'react'
import { clockFace } from '../display/clock-face.ts'

/** Shows how far it has played. Read-only, because without controls nobody may seek. */
export function PlayedTime({
  element,
  durationMs,
}: {
  element: HTMLMediaElement | null
  durationMs: number | undefined
}) {
  const [{ at, of }, setTimes] = useState({ at: 0, of: 0 })
  useEffect(() => {
    if (!element) return
    const read = () => {
      const length = durationMs ?? element.duration * 1_000
      setTimes({ at: element.currentTime * 1_000, of: Number.isFinite(length) ? length : 0 })
    }
    const changes = ['timeupdate', 'durationchange', 'ended']
    for (const change of changes) element.addEventListener(change, read)
    read()
    return () => {
      for (const change of changes) element.removeEventListener(change, read)
    }
  }, [element, durationMs])
  return (
    <div className="played-time">
      <progress aria-label="How far it has played" value={of > 0 ? Math.min(1, at / of) : 0} max={1} />
      <span>
        {clockFace(Math.min(at, of || at), 'up')}
        {of > 0 && ` / ${clockFace(of, 'up')}`}
      </span>
    </div>
  )
}
