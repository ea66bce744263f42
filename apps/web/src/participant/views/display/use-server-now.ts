import { useEffect, useEffectEvent, useState } from 'react'
import type { Scene } from '../view.ts'

/** The time by the server’s clock, again and again; it stands still with the room. */
export function useServerNow(scene: Scene, everyMs = 250): number {
  const { isStill } = scene
  const [now, setNow] = useState(() => scene.serverNow())
  const tick = useEffectEvent(() => setNow(scene.serverNow()))
  useEffect(() => {
    if (isStill) return
    tick()
    const timer = setInterval(() => tick(), everyMs)
    return () => clearInterval(timer)
  }, [isStill, everyMs])
  return now
}
