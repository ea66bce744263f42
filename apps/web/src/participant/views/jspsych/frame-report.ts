import type { FrameReport } from '../../../jspsych/messages.ts'
import { isRecord } from '../questions/answer.ts'

const withoutData = ['frame_loaded', 'timeline_started', 'timeline_finished', 'timeline_failed'] as const

/** A message from the frame; undefined for any other. */
export function frameReportIn(message: unknown): FrameReport | undefined {
  if (!isRecord(message)) return undefined
  const plain = withoutData.find((name) => name === message.atrium)
  if (plain !== undefined) return { atrium: plain }
  return message.atrium === 'trial_finished' && isRecord(message.data)
    ? { atrium: 'trial_finished', data: message.data }
    : undefined
}
