import { isRecord } from '../questions/answer.ts'

/** Messages from the frame: from our own empty page, or from the researcher’s page. */
type FrameMessage =
  /** `frame.html` has loaded and asks for the page to show. */
  | { kind: 'loaded' }
  | { kind: 'ready' }
  | { kind: 'respond'; value: unknown }
  | { kind: 'resize'; height: number }

const tallestPx = 10_000

/** Undefined for any other message to the parent. */
export function frameMessageIn(data: unknown): FrameMessage | undefined {
  if (!isRecord(data)) return undefined
  switch (data.atrium) {
    case 'frame_loaded':
      return { kind: 'loaded' }
    case 'ready':
      return { kind: 'ready' }
    case 'respond':
      return { kind: 'respond', value: asJson(data.value) }
    case 'resize':
      return typeof data.height === 'number' && data.height > 0
        ? { kind: 'resize', height: Math.min(Math.ceil(data.height), tallestPx) }
        : undefined
    default:
      return undefined
  }
}

/** Messages between windows may hold dates, maps and cycles; an answer is JSON, or undefined. */
function asJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
