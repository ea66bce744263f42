/** The document, and the way back. Every view edits it through here, so one undo spans them all. */
export interface History {
  past: readonly unknown[]
  present: unknown
  future: readonly unknown[]
  /** Where the last edit happened: further ones at the same place, such as the letters of a word, are one step. */
  mark: string | undefined
}

/** Documents share what they have in common, so steps are cheap; nobody goes back further. */
const maxSteps = 500

export const begin = (document: unknown): History => ({
  past: [],
  present: document,
  future: [],
  mark: undefined,
})

export function edit(history: History, document: unknown, mark?: string): History {
  if (document === history.present) return history
  if (mark !== undefined && mark === history.mark) return { ...history, present: document, future: [] }
  return {
    past: [...history.past, history.present].slice(-maxSteps),
    present: document,
    future: [],
    mark,
  }
}

/** The next edit is a step of its own, wherever it happens. */
export const settle = (history: History): History =>
  history.mark === undefined ? history : { ...history, mark: undefined }

export function undo(history: History): History {
  const { past, present, future } = history
  return past.length === 0
    ? history
    : { past: past.slice(0, -1), present: past.at(-1), future: [present, ...future], mark: undefined }
}

export function redo(history: History): History {
  const { past, present, future } = history
  return future.length === 0
    ? history
    : { past: [...past, present], present: future[0], future: future.slice(1), mark: undefined }
}
