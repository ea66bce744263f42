/** Messages between the main thread and the database thread. */
export interface StoreRequest {
  id: number
  store: string
  method: string
  args: unknown[]
}

export type StoreReply =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; error: { message: string; code: string } }

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'failed'; message: string }
  | { kind: 'reply'; reply: StoreReply }
