import type { ErrorCode } from '@atrium/contract'

/** What the main thread and the one beside it say to each other. Bodies travel as JSON: a text is handed over cheaply. */
export interface Task {
  name: 'checkDefinition' | 'dryRun'
  input: string
}

export type TaskReply =
  | { kind: 'ready' }
  | { kind: 'done'; value: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string; details: Record<string, unknown> }
  /** A defect of ours; the thread goes on. */
  | { kind: 'failed'; message: string }
