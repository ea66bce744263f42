import { Alert, Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useMonitor } from '../experiments/experiment-queries.ts'
import { Failure } from '../feedback/failure.tsx'
import { counted, formatBytes, formatNumber } from '../text/numbers.ts'
import { ColumnGuide } from './column-guide.tsx'
import { type ExportState, useExport } from './use-export.ts'

interface DataTabProps {
  experimentId: string
  experimentName: string
}

export function DataTab({ experimentId, experimentName }: DataTabProps) {
  const { data: monitor } = useMonitor(experimentId)
  const { state, start, cancel } = useExport(experimentId, experimentName)
  return (
    <Stack gap="xl">
      <section aria-labelledby="export">
        <Title order={2} size="h4" id="export" mb="xs">
          Export
        </Title>
        <Stack gap="sm">
          <Text>
            {monitor ? counted(monitor.events, 'event') : '…'} stored so far. The export holds one event a
            line, as JSON, for each participant in the order of receipt. There is no identity in it: no
            subject, no address, no browser, no metadata.
          </Text>
          <Group>
            <Button onClick={() => void start()} loading={state.kind === 'running'}>
              Export as JSONL
            </Button>
            {state.kind === 'running' && (
              <Button variant="default" onClick={cancel}>
                Cancel
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
  switch (state.kind) {
    case 'idle':
      return null
    case 'cancelled':
      return <Text role="status">Cancelled. Nothing was saved.</Text>
    case 'failed':
      return (
        <Failure error={state.error} title="The export broke off, and nothing was saved" onRetry={onRetry} />
      )
    case 'done':
      return (
        <Alert color="teal" title="Done" role="status">
          {counted(state.received.lines, 'event')}, {formatBytes(state.received.bytes)}, in {state.fileName}.
        </Alert>
      )
    case 'running': {
      const { bytes, lines } = state.received
      // Events go on arriving while the export runs, so there may be more than were expected.
      const share = expected ? Math.min(100, (lines / expected) * 100) : 0
      return (
        <div>
          <Progress value={share} aria-label="Events received" />
          <Text size="sm" className="figure" mt={4}>
            {formatBytes(bytes)}, {formatNumber(lines)} events received
          </Text>
        </div>
      )
    }
  }
}
