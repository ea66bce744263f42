import { useEffect, useState } from 'react'

/** Between the end of loading, which browsers report even for a missing page, and the frame’s own first message. */
const graceMs = 2_000

/** Whether the page in a frame has come: a frame that stays silent after it was loaded is not ours. */
export function useFrameArrival() {
  const [state, setState] = useState<'awaited' | 'silent' | 'arrived' | 'missing'>('awaited')
  useEffect(() => {
    if (state !== 'silent') return
    const timer = setTimeout(() => setState('missing'), graceMs)
    return () => clearTimeout(timer)
  }, [state])
  return {
    hasArrived: state === 'arrived',
    isMissing: state === 'missing',
    onLoad: () => setState((before) => (before === 'awaited' ? 'silent' : before)),
    arrive: () => setState('arrived'),
    awaitAgain: () => setState('awaited'),
  }
}
