import { experimentRoutes } from '@atrium/contract'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { useMonitor } from '../experiments/experiment-queries.ts'
import { ColumnGuide } from './column-guide.tsx'
import { ExportProgress } from './export-progress.tsx'
import { useExport } from './use-export.ts'

interface DataTabProps {
  experimentId: string
  experimentName: string
}

export function DataTab({ experimentId, experimentName }: DataTabProps) {
  const text = texts().data
  const { data: monitor } = useMonitor(experimentId)
  const { state, start, cancel } = useExport(experimentName, (api, signal) =>
    api.callRaw(experimentRoutes.export, { params: { experimentId }, query: { format: 'jsonl' }, signal }),
  )
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
          <ExportProgress state={state} expected={monitor?.events} words={text} onRetry={start} />
        </Stack>
      </section>
      <ColumnGuide />
    </Stack>
  )
}
