import { S3Error } from '@atrium/object-store'
import { ConfigError } from '@atrium/program'
import { isStoreFull } from '../adapters/s3/s3-errors.ts'
import { isFull } from '../adapters/sql/failures.ts'
import { TransferRefused } from '../kernel/transfer-errors.ts'
import type { Report } from './fill-tables.ts'

export class Misuse extends Error {}

const exitCodes = { failed: 1, misused: 2, refused: 3 } as const

/** Often enough to see that it moves, seldom enough to cost nothing. */
const reportEveryMs = 100

/** Runs a command of the operator: progress for people, one sentence at its end, and an exit code for programs. */
export async function runCommand(work: (report: Report) => Promise<string>): Promise<void> {
  const { report, clear } = progressOn(process.stderr)
  try {
    const sentence = await work(report)
    clear()
    process.stdout.write(`${sentence}\n`)
  } catch (error) {
    clear()
    process.stderr.write(`${printable(sentenceOf(error as Error))}\n`)
    process.exitCode = codeOf(error)
  }
}

function progressOn(stream: NodeJS.WriteStream): { report: Report; clear(): void } {
  if (!stream.isTTY) return { report: () => undefined, clear: () => undefined }
  let reportedAt = 0
  return {
    report(text) {
      if (performance.now() - reportedAt < reportEveryMs) return
      reportedAt = performance.now()
      stream.write(`\r\u001b[K${text}`)
    },
    clear: () => void stream.write('\r\u001b[K'),
  }
}

/** Names in a backup are part of sentences about it, and must not command the terminal. */
const printable = (sentence: string): string => sentence.replace(/[^\P{Cc}\n]|\p{Cf}/gu, ' ')

const expected = [Misuse, TransferRefused, ConfigError]

function sentenceOf(error: Error): string {
  if (expected.some((kind) => error instanceof kind)) return error.message
  const why = error.message.replace(/\.$/, '')
  if (isStoreFull(error) || (error instanceof S3Error && error.code === 'StorageFull'))
    return 'There is no space left in the object store.'
  return isFull(error) ? `There is no space left: ${why}.` : `It failed: ${why}.`
}

function codeOf(error: unknown): number {
  if (error instanceof Misuse || error instanceof ConfigError) return exitCodes.misused
  return error instanceof TransferRefused ? exitCodes.refused : exitCodes.failed
}
