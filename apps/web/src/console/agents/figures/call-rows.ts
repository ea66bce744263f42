import type { CallFigures, CredentialFigures } from '@atrium/contract'
import { texts } from '../../../text/console.ts'

/** Calls of models over a time: the time, and what was counted in it. */
export interface CountedCalls {
  window: Pick<CredentialFigures, 'from' | 'to' | 'isPartial'>
  figures: CallFigures
}

export interface CallRow {
  when: string
  calls: number
  succeeded: number
  failures: number
  /** Absent where nothing was answered, which is a gap in the line. */
  p50?: number
  p95?: number
  read: number
  written: number
  money: number
}

export const rowsOf = ({ window: { from, to }, figures: { buckets } }: CountedCalls): CallRow[] =>
  buckets.map(({ at, calls, failures, latencyMs, promptTokens, completionTokens, money }) => ({
    when: texts().format.moment(at, to - from),
    calls,
    succeeded: Math.max(0, calls - failures),
    failures,
    ...latencyMs,
    read: promptTokens,
    written: completionTokens,
    money,
  }))

const rangeInWords = (minutes: number): string =>
  texts().calls.ranges.find((range) => range.minutes === minutes)?.words ?? ''

/** The charts in a sentence, for people who do not see them. */
export function callsInWords({ figures }: CountedCalls, minutes: number): string {
  const { calls: text } = texts()
  const { calls, failures, latencyMs, promptTokens, completionTokens, money } = figures
  const range = rangeInWords(minutes)
  if (calls === 0) return text.nothing(range)
  const tokens = promptTokens + completionTokens
  return text.summary({ range, calls, failures, latencyMs, tokens, money })
}
