import type { ErrorCode } from '@atrium/contract'

/** Messages between the main thread and the worker. Bodies travel as JSON, because passing a text is cheap. */
export interface Task {
  name: 'checkDefinition' | 'dryRun' | 'forecast'
  input: string
}

export type TaskReply =
  | { kind: 'ready' }
  | { kind: 'done'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string; details: Record<string, unknown> }
  /** A bug of ours; the thread continues. */
  | { kind: 'failed'; message: string }
