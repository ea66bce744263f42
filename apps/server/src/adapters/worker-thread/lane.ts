import { createFairLine } from '@atrium/program'
import { AppError } from '../../kernel/app-error.ts'
import type { Task } from './messages.ts'
import type { Thread } from './thread.ts'

interface WaitingTask {
  actor: string
  task: Task
  resolve(value: unknown): void
  reject(error: unknown): void
}

export interface LaneOptions {
  startThread(): Thread
  /** How many tasks may wait behind the one under way. */
  maxWaiting: number
  /** A task took too long or too much memory, and its thread ended with it. */
  onCutOff(task: Task, actor: string): void
}

/** An idle thread is ended, to free its memory. */
const idleMs = 60_000

/** A thread off the event loop, started when there is work and replaced when it dies. Actors take turns. */
export function createLane({ startThread, maxWaiting, onCutOff }: LaneOptions) {
  const line = createFairLine<WaitingTask>(maxWaiting)
  let thread: Thread | undefined
  let isWorking = false
  let isClosed = false
  let idle: NodeJS.Timeout | undefined

  async function work(next: WaitingTask): Promise<void> {
    if (!thread?.isAlive()) thread = startThread()
    const used = thread
    try {
      next.resolve(await used.perform(next.task))
    } catch (error) {
      // Before the answer: what this actor sends next is already in the right lane.
      if (!used.isAlive() && !isClosed) onCutOff(next.task, next.actor)
      next.reject(error)
    }
  }

  async function workOff(): Promise<void> {
    if (isWorking) return
    isWorking = true
    clearTimeout(idle)
    for (let next = line.take(); next; next = line.take()) await work(next)
    isWorking = false
    idle = setTimeout(() => void thread?.end(), idleMs).unref()
  }

  return {
    perform: (task: Task, actor: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new AppError('UNAVAILABLE'))
        line.add(actor, { actor, task, resolve, reject })?.reject(new AppError('UNAVAILABLE'))
        void workOff()
      }),
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(idle)
      for (let next = line.take(); next; next = line.take()) next.reject(new AppError('UNAVAILABLE'))
      await thread?.end()
    },
  }
}
