import { useEffect, useEffectEvent, useState } from 'react'
import type { Scene } from '../view.ts'

/** The server’s time, updated regularly; it stops while the room is paused. */
export function useServerNow(scene: Pick<Scene, 'serverNow' | 'isStill'>, everyMs = 250): number {
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
