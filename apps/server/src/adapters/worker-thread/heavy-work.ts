import type { DryRun, ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { HeavyWork } from '../../ports/heavy-work.ts'
import type { Task } from './messages.ts'
import { startThread, type Thread } from './thread.ts'

export interface HeavyWorkOptions {
  timeLimitMs?: number
  /** How many tasks may wait for the one that is worked on. */
  mostWaiting?: number
}

interface WaitingTask {
  task: Task
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** The memory of an idle thread is given back. */
const idleMs = 60_000

/** One thread beside the event loop, started when there is something to do and replaced when it is lost. */
export function createHeavyWork({
  timeLimitMs = 10_000,
  mostWaiting = 32,
}: HeavyWorkOptions = {}): HeavyWork {
  const waiting: WaitingTask[] = []
  let thread: Thread | undefined
  let isWorking = false
  let isClosed = false
  let idle: NodeJS.Timeout | undefined

  async function workOff(): Promise<void> {
    if (isWorking) return
    isWorking = true
    clearTimeout(idle)
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!thread?.isAlive()) thread = startThread(timeLimitMs)
      await thread.perform(next.task).then(next.resolve, next.reject)
    }
    isWorking = false
    idle = setTimeout(() => void thread?.end(), idleMs).unref()
  }

  function perform(task: Task): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (isClosed || waiting.length >= mostWaiting) return reject(new AppError('UNAVAILABLE'))
      // A dry run is a question; whoever saves has work to lose.
      const firstDryRun = waiting.findIndex((other) => other.task.name === 'dryRun')
      const at = task.name === 'dryRun' || firstDryRun < 0 ? waiting.length : firstDryRun
      waiting.splice(at, 0, { task, resolve, reject })
      void workOff()
    })
  }

  return {
    async checkDefinition(body) {
      const warnings = await perform({ name: 'checkDefinition', input: JSON.stringify(body) })
      // The thread has just checked that this is what it is, and that those are warnings.
      return { definition: body as ExperimentDefinition, warnings: warnings as ValidationIssue[] }
    },
    dryRun: async (task) => (await perform({ name: 'dryRun', input: JSON.stringify(task) })) as DryRun,
    async close() {
      isClosed = true
      clearTimeout(idle)
      for (const { reject } of waiting.splice(0)) reject(new AppError('UNAVAILABLE'))
      await thread?.end()
    },
  }
}
