import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { allowedKeyOf } from './pressed-key.ts'
import {
  type Block,
  type BlockPlan,
  begin,
  type InputKind,
  onFrame,
  onHidden,
  onReaction,
  type TrialRecord,
} from './trial-run.ts'

export interface BlockResult {
  trials: readonly TrialRecord[]
  precision: { frameMs: number; clockStepMs: number }
}

/** Runs a block from frame to frame while `isRunning`. Returns what to show, and how to react other than by a key. */
export function useBlock(
  plan: BlockPlan,
  keys: readonly string[],
  isRunning: boolean,
  onOver: (result: BlockResult) => void,
) {
  const [shown, setShown] = useState<Block | null>(null)
  // The frames read this one, because a key may come between two renders.
  const block = useRef<Block | null>(null)

  const react = (key: string, { timeStamp }: Event, input: InputKind): void => {
    if (block.current) block.current = onReaction(block.current, plan, { key, atMs: timeStamp, input })
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = allowedKeyOf(event, keys)
    if (key === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    // Space would scroll the page, and Enter would press its button.
    event.preventDefault()
    if (!event.repeat) react(key, event, 'keyboard')
  })

  const drawFrame = useEffectEvent((frameAtMs: number): boolean => {
    const next = block.current ? onFrame(block.current, plan, frameAtMs) : begin(plan, frameAtMs)
    const isNew = next.phase.kind !== block.current?.phase.kind || next.at !== block.current.at
    block.current = next
    // At once: a render that React puts off would belong to a later frame than the one whose time stamp is kept.
    if (isNew) flushSync(() => setShown(next))
    return next.phase.kind !== 'over'
  })

  const finish = useEffectEvent((intervals: readonly number[]) => {
    const precision = {
      frameMs: medianOf(intervals),
      clockStepMs: measureClockStep(() => performance.now()),
    }
    onOver({ trials: block.current?.records ?? [], precision })
  })

  useEffect(() => {
    if (!isRunning) return
    const intervals: number[] = []
    let lastAtMs: number | null = null
    const draw = (frameAtMs: number) => {
      if (lastAtMs !== null) intervals.push(frameAtMs - lastAtMs)
      lastAtMs = frameAtMs
      if (drawFrame(frameAtMs)) frame = requestAnimationFrame(draw)
      else finish(intervals)
    }
    let frame = requestAnimationFrame(draw)
    const key = (event: KeyboardEvent) => onKey(event)
    const visibility = () => {
      if (document.hidden && block.current) block.current = onHidden(block.current)
    }
    window.addEventListener('keydown', key, { capture: true })
    document.addEventListener('visibilitychange', visibility)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('keydown', key, { capture: true })
      document.removeEventListener('visibilitychange', visibility)
      block.current = null
    }
  }, [isRunning])

  return { shown: isRunning ? shown : null, react }
}

/** Browsers round their clock, some to a tenth of a millisecond, some to a whole one or more. */
const maxSteps = 30
const longestLookMs = 40

/** The smallest step of the page's clock, found by looking at it; 0 if it never moved. */
export function measureClockStep(now: () => number): number {
  const startedAt = now()
  let last = startedAt
  let smallest = Number.POSITIVE_INFINITY
  for (let steps = 0; steps < maxSteps && last - startedAt < longestLookMs; ) {
    const next = now()
    if (next === last) continue
    smallest = Math.min(smallest, next - last)
    last = next
    steps++
  }
  return Number.isFinite(smallest) ? Math.round(smallest * 1_000) / 1_000 : 0
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 1_000) / 1_000
}
