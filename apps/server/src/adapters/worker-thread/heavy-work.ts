import type { DryRun, ExperimentDefinition, PaymentForecast, ValidationIssue } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import { type Clock, systemClock } from '../../kernel/clock.ts'
import type { HeavyWork } from '../../ports/heavy-work.ts'
import { createLane } from './lane.ts'
import type { Task } from './messages.ts'
import { startThread } from './thread.ts'

export interface HeavyWorkOptions {
  timeLimitMs?: Record<Task['name'], number>
  /** How many tasks may wait in each lane behind the one under way. */
  maxWaiting?: Record<'saving' | 'behind', number>
  clock?: Clock
  start?: typeof startThread
}

/** Each takes seconds, and a researcher looks at one at a time. */
const maxDryRunsOfOne = 2
const usualMaxWaiting = { saving: 32, behind: 8 }
/** The largest definition takes about a second; the rest is for busy machines. */
const usualTimeLimitMs = { checkDefinition: 10_000, dryRun: 10_000, forecast: 15_000 }

/** Who was cut off stays behind the others for this long. Long enough that trying again and again gains nothing. */
const behindMs = 10 * 60_000

const tooManyDryRuns = 'Two of your dry runs are under way. Try again when one of them is done.'

/**
 * Two lanes, each with a thread. In the first, researchers save. In the other are dry runs, which are only questions, and
 * the checks of whoever had one cut off: nobody who saves waits for those.
 */
export function createHeavyWork({
  timeLimitMs = usualTimeLimitMs,
  maxWaiting = usualMaxWaiting,
  clock = systemClock,
  start = startThread,
}: HeavyWorkOptions = {}): HeavyWork {
  /** Until when an actor is behind the others, oldest first. */
  const behindUntil = new Map<string, number>()
  const laneFor = (lane: keyof typeof maxWaiting) =>
    createLane({
      startThread: () => start(timeLimitMs),
      maxWaiting: maxWaiting[lane],
      onCutOff: ({ name }, actor) => {
        if (name === 'checkDefinition') putBehind(actor)
      },
    })
  const lanes = { saving: laneFor('saving'), behind: laneFor('behind') }
  /** Per researcher: waiting dry runs and the one under way. */
  const dryRunsOf = new Map<string, number>()

  function putBehind(actor: string): void {
    const now = clock.now()
    behindUntil.delete(actor)
    behindUntil.set(actor, now + behindMs)
    for (const [other, until] of behindUntil) if (until <= now) behindUntil.delete(other)
  }

  const isBehind = (actor: string): boolean => (behindUntil.get(actor) ?? 0) > clock.now()

  async function performDryRun(task: Task, actor: string): Promise<unknown> {
    const count = dryRunsOf.get(actor) ?? 0
    if (count >= maxDryRunsOfOne) throw new AppError('UNAVAILABLE', {}, tooManyDryRuns)
    dryRunsOf.set(actor, count + 1)
    try {
      return await lanes.behind.perform(task, actor)
    } finally {
      const left = (dryRunsOf.get(actor) ?? 0) - 1
      if (left > 0) dryRunsOf.set(actor, left)
      else dryRunsOf.delete(actor)
    }
  }

  return {
    async checkDefinition(body, actor, rows = new Map()) {
      const lane = isBehind(actor) ? lanes.behind : lanes.saving
      const input = JSON.stringify([body ?? null, [...rows]])
      const warnings = await lane.perform({ name: 'checkDefinition', input }, actor)
      // The thread has just checked that the definition is valid and that these are warnings.
      return { definition: body as ExperimentDefinition, warnings: warnings as ValidationIssue[] }
    },
    async dryRun(task, actor) {
      return (await performDryRun({ name: 'dryRun', input: JSON.stringify(task) }, actor)) as DryRun
    },
    async forecast(task, actor) {
      return (await performDryRun(
        { name: 'forecast', input: JSON.stringify(task) },
        actor,
      )) as PaymentForecast
    },
    async close() {
      await Promise.all([lanes.saving.close(), lanes.behind.close()])
    },
  }
}
