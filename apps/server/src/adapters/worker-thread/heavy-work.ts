import type { DryRun, ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import { createFairLine } from '@atrium/program'
import { AppError } from '../../kernel/app-error.ts'
import type { HeavyWork } from '../../ports/heavy-work.ts'
import type { Task } from './messages.ts'
import { startThread, type Thread } from './thread.ts'

export interface HeavyWorkOptions {
  timeLimitMs?: number
  /** How many tasks may wait behind the one under way. */
  mostWaiting?: Record<Task['name'], number>
}

interface WaitingTask {
  task: Task
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Each takes seconds, and a researcher looks at one at a time. */
const mostDryRunsOfOne = 2
const usualMostWaiting = { checkDefinition: 32, dryRun: 8 }

/** An idle thread is ended, to free its memory. */
const idleMs = 60_000

const tooManyDryRuns = 'Two of your dry runs are under way. Try again when one of them is done.'

/** One thread off the event loop, started when there is work and replaced when it dies. */
export function createHeavyWork({
  timeLimitMs = 10_000,
  mostWaiting = usualMostWaiting,
}: HeavyWorkOptions = {}): HeavyWork {
  const checks = createFairLine<WaitingTask>(mostWaiting.checkDefinition)
  const dryRuns = createFairLine<WaitingTask>(mostWaiting.dryRun)
  /** Per researcher: waiting dry runs and the one under way. */
  const dryRunsOf = new Map<string, number>()
  let thread: Thread | undefined
  let isWorking = false
  let isClosed = false
  let idle: NodeJS.Timeout | undefined

  /** Saving first: a dry run is only a question, but somebody who saves has work to lose. */
  const takeNext = (): WaitingTask | undefined => checks.take() ?? dryRuns.take()

  async function workOff(): Promise<void> {
    if (isWorking) return
    isWorking = true
    clearTimeout(idle)
    for (let next = takeNext(); next; next = takeNext()) {
      if (!thread?.isAlive()) thread = startThread(timeLimitMs)
      await thread.perform(next.task).then(next.resolve, next.reject)
    }
    isWorking = false
    idle = setTimeout(() => void thread?.end(), idleMs).unref()
  }

  function perform(task: Task, actor: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(new AppError('UNAVAILABLE'))
      const line = task.name === 'dryRun' ? dryRuns : checks
      line.add(actor, { task, resolve, reject })?.reject(new AppError('UNAVAILABLE'))
      void workOff()
    })
  }

  async function performDryRun(input: string, actor: string): Promise<unknown> {
    const count = dryRunsOf.get(actor) ?? 0
    if (count >= mostDryRunsOfOne) throw new AppError('UNAVAILABLE', {}, tooManyDryRuns)
    dryRunsOf.set(actor, count + 1)
    try {
      return await perform({ name: 'dryRun', input }, actor)
    } finally {
      const left = (dryRunsOf.get(actor) ?? 0) - 1
      if (left > 0) dryRunsOf.set(actor, left)
      else dryRunsOf.delete(actor)
    }
  }

  return {
    async checkDefinition(body, actor) {
      const warnings = await perform({ name: 'checkDefinition', input: JSON.stringify(body) }, actor)
      // The thread has just checked that the definition is valid and that these are warnings.
      return { definition: body as ExperimentDefinition, warnings: warnings as ValidationIssue[] }
    },
    dryRun: async (task, actor) => (await performDryRun(JSON.stringify(task), actor)) as DryRun,
    async close() {
      isClosed = true
      clearTimeout(idle)
      for (let next = takeNext(); next; next = takeNext()) next.reject(new AppError('UNAVAILABLE'))
      await thread?.end()
    },
  }
}
