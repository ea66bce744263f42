import { experimentRoutes } from '@atrium/contract'
import { Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { useMonitor } from '../experiments/experiment-queries.ts'
import { type ExportChoice, endingOf, exportQueryOf, firstChoice, hasPreview } from './export-choice.ts'
import { ExportForm } from './export-form.tsx'
import { ExportProgress } from './export-progress.tsx'
import { TablePreview } from './table-preview.tsx'
import { useExport } from './use-export.ts'

interface ExportPanelProps {
  experimentId: string
  experimentName: string
  revision: number
}

/** One table, or all of them, for the people that the filters choose. */
export function ExportPanel({ experimentId, experimentName, revision }: ExportPanelProps) {
  const text = texts().data
  const [choice, setChoice] = useState<ExportChoice>(firstChoice)
  const { data: monitor } = useMonitor(experimentId)
  const file = { name: `${experimentName} ${text.tables[choice.table]}`, ending: endingOf(choice) }
  const { state, start, cancel } = useExport(file, (api, signal, resume) =>
    api.callRaw(experimentRoutes.export, {
      params: { experimentId },
      query: { ...exportQueryOf(choice), ...(resume && { resume }) },
      signal,
    }),
  )
  // Only events are counted in advance.
  const expected = choice.table === 'events' && choice.format === 'jsonl' ? monitor?.events : undefined
  return (
    <Stack gap="xl">
      <section aria-labelledby="export">
        <Title order={2} size="h4" id="export" mb="xs">
          {text.title}
        </Title>
        <Stack gap="sm">
          <Text>{text.intro(monitor?.events)}</Text>
          <ExportForm choice={choice} revisions={revision} onChange={setChoice} />
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
          <ExportProgress state={state} expected={expected} words={text} onRetry={start} />
        </Stack>
      </section>
      {hasPreview(choice) && <TablePreview experimentId={experimentId} choice={choice} />}
      {choice.table === 'events' && <ColumnGuide />}
    </Stack>
  )
}

function ColumnGuide() {
  const { fields, field, meaning, meanings } = texts().data
  return (
    <section aria-labelledby="columns">
      <Title order={2} size="h4" id="columns" mb="xs">
        {fields}
      </Title>
      <Table maw={860} layout="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{field}</Table.Th>
            <Table.Th>{meaning}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Object.entries(meanings).map(([name, explanation]) => (
            <Table.Tr key={name}>
              <Table.Td>
                <Code>{name}</Code>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{explanation}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
