import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../kernel/app-error.ts'
import { asRefusal } from '../sql/failures.ts'
import { type Database, type StoreCall, storesThrough } from '../sql/stores.ts'
import type { StoreReply, StoreRequest, WorkerMessage } from './messages.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** The embedded database: SQLite in DATA_DIR, in a worker thread, one message per store call. */
export async function openSqlite(dataDir: string): Promise<Database> {
  const folder = resolve(dataDir)
  await mkdir(folder, { recursive: true })
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { dataDir: folder } })
  const waiting = new Map<number, Waiting>()
  await untilReady(worker)
  worker.on('message', (message: WorkerMessage) => message.kind === 'reply' && settle(waiting, message.reply))
  const ended = new Promise<void>((done) => worker.once('exit', () => done()))
  let isOpen = true
  const giveUp = () => {
    isOpen = false
    for (const call of waiting.values()) call.reject(new AppError('UNAVAILABLE'))
    waiting.clear()
  }
  worker.once('exit', giveUp)
  worker.on('error', giveUp)

  let lastId = 0
  const call: StoreCall = (store, method, args) =>
    new Promise((resolve, reject) => {
      if (!isOpen) return reject(new AppError('UNAVAILABLE'))
      const request: StoreRequest = { id: ++lastId, store, method, args }
      waiting.set(request.id, { resolve, reject })
      worker.postMessage(request)
    })
  return {
    ...storesThrough(call),
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
