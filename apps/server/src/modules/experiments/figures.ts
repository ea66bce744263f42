import type { Clock } from '../../kernel/clock.ts'
import type { FigureStore } from './figures.store.ts'

/** What is not folded yet is read one by one by everybody who asks, so it must stay little. */
const foldEveryMs = 2_000
/** A database that has just been migrated has millions of events to count. Between two steps, others get their turn. */
const pauseMs = 20

interface FigureDeps {
  store: FigureStore
  clock: Clock
  onBackgroundError: (error: unknown) => void
}

/** Keeps the figures up to date, in the background. They are right at any time; this keeps them cheap. */
export function createFigures({ store, clock, onBackgroundError }: FigureDeps) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let underWay: Promise<void> = Promise.resolve()

  async function step(): Promise<void> {
    const hasMissed = await store.countMissed(clock.now())
    const hasMore = await store.fold(clock.now())
    plan(hasMissed || hasMore ? pauseMs : foldEveryMs)
  }

  function plan(afterMs: number): void {
    if (isStopped) return
    timer = setTimeout(() => {
      underWay = step().catch((error: unknown) => {
        onBackgroundError(error)
        plan(foldEveryMs)
      })
    }, afterMs)
    timer.unref()
  }

  return {
    start: (): void => plan(pauseMs),
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await underWay
    },
  }
}
