import { Alert, Progress, Text } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { Failure } from '../feedback/failure.tsx'
import type { ExportState } from './use-export.ts'

interface ExportProgressProps {
  state: ExportState
  /** How many lines there will be about; undefined if nobody knows. */
  expected: number | undefined
  /** What the lines are called. */
  words: {
    progress: string
    received: (lines: number, bytes: number) => string
    doneMessage: (lines: number, bytes: number, fileName: string) => string
  }
  onRetry: () => void
}

export function ExportProgress({ state, expected, words, onRetry }: ExportProgressProps) {
  const text = texts().data
  switch (state.kind) {
    case 'idle':
      return null
    case 'cancelled':
      return <Text role="status">{text.cancelled}</Text>
    case 'failed':
      return <Failure error={state.error} title={text.failed} onRetry={onRetry} />
    case 'done':
      return (
        <Alert
          color="teal"
          title={text.done}
          role="status"
          // Teal on pale teal is too pale to read.
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
        >
          {words.doneMessage(state.received.lines, state.received.bytes, state.fileName)}
        </Alert>
      )
    case 'running': {
      const { bytes, lines } = state.received
      return (
        <div>
          {/* More lines may arrive while the export runs than were expected. */}
          {expected !== undefined && expected > 0 && (
            <Progress value={Math.min(100, (lines / expected) * 100)} aria-label={words.progress} />
          )}
          <Text size="sm" className="figure" mt={4}>
            {words.received(lines, bytes)}
          </Text>
          {state.isInterrupted && (
            <Text size="sm" role="status">
              {text.interrupted}
            </Text>
          )}
        </div>
      )
    }
  }
}
