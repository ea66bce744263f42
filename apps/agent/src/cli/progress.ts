import type { Io } from './io.ts'

export interface Progress {
  /** `step` changes seldom, `detail` often. */
  show(step: string, detail: string): void
  /** Clears the line, so that something else can be printed. */
  clear(): void
}

const defaultColumns = 80
const eraseLine = '\r\u001B[K'

/** On a terminal one line that is overwritten; in a file or a pipe one line for each step, without its details. */
export function createProgress({ stderr, isTerminal }: Pick<Io, 'stderr' | 'isTerminal'>): Progress {
  let lastStep: string | undefined
  return {
    show(step, detail) {
      if (isTerminal) {
        const room = (stderr.columns ?? defaultColumns) - 1
        stderr.write(`${eraseLine}${`${step} ${detail}`.slice(0, room)}`)
      } else if (step !== lastStep) {
        stderr.write(`${step}\n`)
      }
      lastStep = step
    },
    clear() {
      if (isTerminal && lastStep !== undefined) stderr.write(eraseLine)
    },
  }
}
