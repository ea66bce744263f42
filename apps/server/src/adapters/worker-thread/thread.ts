import { type ResourceLimits, Worker } from 'node:worker_threads'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { Task, TaskReply } from './messages.ts'

export interface Thread {
  /** One task at a time. A task that takes too long, or too much memory, is refused and its thread ended. */
  perform(task: Task): Promise<unknown>
  isAlive(): boolean
  end(): Promise<void>
}

type Answer = Exclude<TaskReply, { kind: 'ready' }>

/** Checking the largest definition takes about a second and some 100 MB. */
const memory: ResourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 }

/** Starts the thread on first use: many servers never check a definition. */
export function startThread(timeLimitMs: Readonly<Record<Task['name'], number>>): Thread {
  const worker = new Worker(new URL('./beside.ts', import.meta.url), { resourceLimits: memory })
  // An idle thread does not keep the server running.
  worker.unref()
  let isAlive = true
  let listener: { reply(reply: Answer): void; fail(error: AppError): void } | undefined
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)

  function fail(error: AppError): void {
    isAlive = false
    ready.reject(error)
    listener?.fail(error)
  }
  worker.on('message', (reply: TaskReply) =>
    reply.kind === 'ready' ? ready.resolve() : listener?.reply(reply),
  )
  worker.on('error', (error: Error & { code?: string }) =>
    fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge('needs too much memory') : unavailable(error)),
  )
  worker.on('exit', () => fail(unavailable(new Error('the thread beside the event loop has ended'))))

  async function perform(task: Task): Promise<unknown> {
    // The task is not charged for the start of the thread.
    await ready.promise
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const limitMs = timeLimitMs[task.name]
    const timer = setTimeout(() => {
      fail(tooLarge(`takes longer than ${limitMs / 1_000} seconds`))
      void worker.terminate()
    }, limitMs)
    listener = {
      fail: reject,
      reply: (reply) => (reply.kind === 'done' ? resolve(reply.value) : reject(refusalOf(reply))),
    }
    worker.postMessage(task)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      listener = undefined
    }
  }

  return {
    perform,
    isAlive: () => isAlive,
    async end() {
      isAlive = false
      await worker.terminate()
    },
  }
}

const tooLarge = (why: string): AppError =>
  validationFailed([{ path: '', message: `${why} to work through; make it smaller` }])

const unavailable = (cause: Error): AppError => Object.assign(new AppError('UNAVAILABLE'), { cause })

function refusalOf(reply: Exclude<Answer, { kind: 'done' }>): Error {
  return reply.kind === 'refused'
    ? new AppError(reply.code, reply.details, reply.message)
    : new Error(reply.message)
}
