import { Alert, Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { useMonitor } from '../experiments/experiment-queries.ts'
import { Failure } from '../feedback/failure.tsx'
import { ColumnGuide } from './column-guide.tsx'
import { type ExportState, useExport } from './use-export.ts'

interface DataTabProps {
  experimentId: string
  experimentName: string
}

export function DataTab({ experimentId, experimentName }: DataTabProps) {
  const text = texts().data
  const { data: monitor } = useMonitor(experimentId)
  const { state, start, cancel } = useExport(experimentId, experimentName)
  return (
    <Stack gap="xl">
      <section aria-labelledby="export">
        <Title order={2} size="h4" id="export" mb="xs">
          {text.title}
        </Title>
        <Stack gap="sm">
          <Text>{text.intro(monitor?.events)}</Text>
          <Group>
            <Button onClick={() => void start()} loading={state.kind === 'running'}>
              {text.start}
            </Button>
            {state.kind === 'running' && (
              <Button variant="default" onClick={cancel}>
                {texts().feedback.cancel}
              </Button>
            )}
          </Group>
          <ExportProgress state={state} expected={monitor?.events} onRetry={start} />
        </Stack>
      </section>
      <ColumnGuide />
    </Stack>
  )
}

interface ExportProgressProps {
  state: ExportState
  expected: number | undefined
  onRetry: () => void
}

function ExportProgress({ state, expected, onRetry }: ExportProgressProps) {
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
        <Alert color="teal" title={text.done} role="status">
          {text.doneMessage(state.received.lines, state.received.bytes, state.fileName)}
        </Alert>
      )
    case 'running': {
      const { bytes, lines } = state.received
      // Events keep arriving while the export runs, so there may be more than expected.
      const share = expected ? Math.min(100, (lines / expected) * 100) : 0
      return (
        <div>
          <Progress value={share} aria-label={text.progress} />
          <Text size="sm" className="figure" mt={4}>
            {text.received(lines, bytes)}
          </Text>
        </div>
      )
    }
  }
}
