import {
  type ExperimentAccess,
  type ExperimentDefinition,
  experimentRoutes,
  mayWith,
  prolificRoutes,
  recruitingSites,
} from '@atrium/contract'
import { Button, Checkbox, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { ExportProgress } from './export-progress.tsx'
import { type RequestFile, useExport } from './use-export.ts'

interface ReadyFilesProps {
  experimentId: string
  definition: ExperimentDefinition
  access: ExperimentAccess
}

type FileName = 'archive' | 'codebook' | 'payments' | 'identity' | 'bonus'

/** In the order of the page; `owner`: says who people are. */
const files: { name: FileName; ending: string; access: 'view' | 'owner' }[] = [
  { name: 'archive', ending: 'zip', access: 'view' },
  { name: 'codebook', ending: 'csv', access: 'view' },
  { name: 'payments', ending: 'csv', access: 'view' },
  { name: 'identity', ending: 'csv', access: 'owner' },
  { name: 'bonus', ending: 'csv', access: 'owner' },
]

const queries = {
  archive: { format: 'psych-ds' },
  codebook: { format: 'csv', table: 'codebook' },
  payments: { format: 'csv', table: 'payments' },
  identity: { format: 'csv', identity: 'true' },
} as const

/** Files that need no choices. */
export function ReadyFiles({ access, ...experiment }: ReadyFilesProps) {
  const { forExcel: label, forExcelMeaning } = texts().data
  const [forExcel, setForExcel] = useState(false)
  const hasBonus = experiment.definition.completion?.payment?.bonus !== undefined
  return (
    <section aria-labelledby="ready-files">
      <Title order={2} size="h4" id="ready-files" mb="xs">
        {texts().files.title}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        {files
          .filter((file) => mayWith(access, file.access) && (file.name !== 'bonus' || hasBonus))
          .map(({ name, ending }) => (
            <ReadyFile key={name} {...experiment} name={name} ending={ending} forExcel={forExcel} />
          ))}
      </SimpleGrid>
      <Checkbox
        mt="md"
        label={label}
        description={forExcelMeaning}
        checked={forExcel}
        onChange={({ currentTarget }) => setForExcel(currentTarget.checked)}
      />
    </section>
  )
}

interface ReadyFileProps extends Omit<ReadyFilesProps, 'access'> {
  name: FileName
  ending: string
  forExcel: boolean
}

function ReadyFile({ experimentId, definition, name, ending, forExcel }: ReadyFileProps) {
  const { files: text, data, feedback } = texts()
  const params = { experimentId }
  const request: RequestFile = (api, signal, resume) =>
    name === 'bonus'
      ? api.callRaw(prolificRoutes.bonusFile, { params, query: { site: siteOf(definition) }, signal })
      : api.callRaw(experimentRoutes.export, {
          params,
          query: { ...queries[name], ...(forExcel && { bom: 'true' as const }), ...(resume && { resume }) },
          signal,
        })
  const file = { name: `${definition.name} ${text[name].name}`, ending }
  const { state, start, cancel } = useExport(file, request)
  return (
    <Paper withBorder p="md">
      <Stack gap="xs" h="100%">
        <Text fw={600}>{text[name].name}</Text>
        <Text size="sm" c="dimmed">
          {text[name].hint}
        </Text>
        <Group gap="sm" mt="auto">
          <Button
            variant="default"
            loading={state.kind === 'running'}
            aria-label={text.startLabel(text[name].name)}
            onClick={() => void start()}
          >
            {text.start}
          </Button>
          {state.kind === 'running' && (
            <Button variant="default" onClick={cancel}>
              {feedback.cancel}
            </Button>
          )}
        </Group>
        <ExportProgress state={state} expected={undefined} words={data} onRetry={start} />
      </Stack>
    </Paper>
  )
}

/** Whose ids the bonus file has: of the first site that the definition has settings for. */
const siteOf = ({ recruiting }: ExperimentDefinition) =>
  recruitingSites.find(({ site }) => recruiting?.[site])?.site ?? 'prolific'
