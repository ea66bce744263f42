import { agentTurnRoutes } from '@atrium/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { ExportProgress } from '../../exports/export-progress.tsx'
import { useExport } from '../../exports/use-export.ts'
import { type RoomKind, syntheticOf } from './study-queries.ts'

interface TurnExportProps {
  experimentId: string
  experimentName: string
  kind: RoomKind
}

/** R45: every call of a model, as a file. */
export function TurnExport({ experimentId, experimentName, kind }: TurnExportProps) {
  const { studyAgents: text, feedback } = texts()
  const file = { name: text.exportName(experimentName), ending: 'jsonl' }
  const { state, start, cancel } = useExport(file, (api, signal) =>
    api.callRaw(agentTurnRoutes.export, {
      params: { experimentId },
      query: { format: 'jsonl', synthetic: syntheticOf(kind) },
      signal,
    }),
  )
  const words = { progress: text.progress, received: text.received, doneMessage: text.exported }
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button variant="default" onClick={() => void start()} loading={state.kind === 'running'}>
          {text.export}
        </Button>
        {state.kind === 'running' && (
          <Button variant="default" onClick={cancel}>
            {feedback.cancel}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {text.exportHint}
      </Text>
      <ExportProgress state={state} expected={undefined} words={words} onRetry={start} />
    </Stack>
  )
}
