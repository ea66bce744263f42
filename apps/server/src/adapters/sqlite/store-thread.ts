import { type ResourceLimits, Worker } from 'node:worker_threads'
import { AppError } from '../../kernel/app-error.ts'
import { asRefusal } from '../sql/failures.ts'
import type { StoreCall } from '../sql/stores.ts'
import type { StoreReply, StoreRequest, WorkerMessage } from './messages.ts'

export interface StoreThread {
  call: StoreCall
  /** Why it ended, when it was not asked to. */
  ended: Promise<Error | undefined>
  close(): Promise<void>
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

export interface StoreThreadOptions {
  dataDir: string
  /** Who writes also migrates, and holds the folder against other servers. */
  access: 'read' | 'write'
  resourceLimits: ResourceLimits
}

/** The thread of the database, one message for each store call. Back when it has opened the database. */
export async function startStoreThread({
  resourceLimits,
  ...workerData
}: StoreThreadOptions): Promise<StoreThread> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits })
  await untilReady(worker).catch(async (error: unknown) => {
    // It holds the folder until it has ended, and whoever hears of the failure may try again at once.
    await worker.terminate()
    throw error
  })
  const waiting = new Map<number, Waiting>()
  worker.on('message', (message: WorkerMessage) => message.kind === 'reply' && settle(waiting, message.reply))
  let isOpen = true
  let lastId = 0
  const ended = new Promise<Error | undefined>((done) => {
    let why: Error | undefined
    worker.on('error', (error) => {
      why = error
    })
    worker.once('exit', () => {
      isOpen = false
      for (const call of waiting.values()) call.reject(new AppError('UNAVAILABLE'))
      done(why)
    })
  })
  return {
    ended,
    call: (store, method, args) =>
      new Promise((resolve, reject) => {
        if (!isOpen) return reject(new AppError('UNAVAILABLE'))
        const request: StoreRequest = { id: ++lastId, store, method, args }
        waiting.set(request.id, { resolve, reject })
        worker.postMessage(request)
      }),
    async close() {
      worker.postMessage('close')
      await ended
    },
  }
}

function untilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: WorkerMessage) => {
      worker.off('error', reject)
      if (message.kind === 'failed') reject(new Error(message.message))
      else resolve()
    })
  })
}

function settle(waiting: Map<number, Waiting>, reply: StoreReply): void {
  const call = waiting.get(reply.id)
  waiting.delete(reply.id)
  if (reply.ok) call?.resolve(reply.value)
  else call?.reject(asRefusal(Object.assign(new Error(reply.error.message), { code: reply.error.code })))
}
