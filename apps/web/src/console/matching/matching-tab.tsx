import {
  type DryRun,
  type DryRunArrivals,
  type ExperimentDefinition,
  experimentRoutes,
  matchingRoutes,
  stageOf,
} from '@atrium/contract'
import { Alert, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { texts } from '../../text/console.ts'
import { useExperiment } from '../experiments/experiment-queries.ts'
import { Failure } from '../feedback/failure.tsx'
import { Figure } from '../feedback/figure.tsx'
import { useApi } from '../session/session.ts'
import { participantVariablesOf, sampleOf } from './dry-run-answers.ts'
import { DryRunFields } from './dry-run-fields.tsx'
import { figuresOf, histogramInWords } from './dry-run-figures.ts'

const WaitingHistogram = lazy(() => import('./waiting-histogram.tsx'))

export default function MatchingTab({ experimentId }: { experimentId: string }) {
  const text = texts().dryRun
  const written = useExperiment(experimentId).data?.definition
  // The stage that everybody begins with.
  const definition = written && stageOf(written, null)
  const dryRun = useDryRun(experimentId, definition)
  return (
    <Stack gap="lg">
      <div>
        <Title order={2} size="h4">
          {text.title}
        </Title>
        <Text c="dimmed" maw={680}>
          {text.intro}
        </Text>
      </div>
      <DryRunFields
        isBusy={dryRun.isPending}
        variables={definition ? participantVariablesOf(definition) : []}
        onRun={(arrivals, likeEarlier) => dryRun.mutate({ arrivals, likeEarlier })}
      />
      {dryRun.error && <Failure error={dryRun.error} title={text.failed} />}
      {dryRun.data && <DryRunResult result={dryRun.data} />}
    </Stack>
  )
}

interface Run {
  arrivals: DryRunArrivals
  likeEarlier: boolean
}

function useDryRun(experimentId: string, definition: ExperimentDefinition | undefined) {
  const api = useApi()
  const params = { experimentId }
  const earlierPeople = async () => {
    // The first page: as many as are needed to know how answers are distributed.
    const query = { table: 'participants', format: 'jsonl', cursor: 'start' } as const
    const answer = await api.callRaw(experimentRoutes.export, { params, query })
    const lines = (await answer.text()).split('\n').filter((line) => line !== '')
    const rows = lines.map((line) => JSON.parse(line))
    return definition ? sampleOf(rows, participantVariablesOf(definition), definition.matching) : []
  }
  return useMutation({
    async mutationFn({ arrivals, likeEarlier }: Run) {
      const sample = likeEarlier ? await earlierPeople() : []
      if (likeEarlier && sample.length === 0) throw new Error(texts().dryRun.nobodyEarlier)
      const body = { arrivals: { ...arrivals, ...(sample.length > 0 && { sample }) } }
      return await api.call(matchingRoutes.dryRun, { params, body })
    },
  })
}

function DryRunResult({ result }: { result: DryRun }) {
  const text = texts().dryRun
  const inWords = histogramInWords(result)
  return (
    <section aria-labelledby="result">
      <Title order={2} size="h4" id="result" mb="sm">
        {text.result}
      </Title>
      <Stack>
        {result.stoppedEarly && (
          <Alert color="yellow" title={text.stoppedTitle}>
            {text.stoppedMessage}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="sm">
          {figuresOf(result).map((figure) => (
            <Figure key={figure.label} {...figure} />
          ))}
        </SimpleGrid>
        {result.parts.length > 0 && <Parts parts={result.parts} />}
        <Title order={3} size="h5">
          {text.waitingTimes}
        </Title>
        {result.histogram.length > 0 && (
          <Suspense fallback={<Skeleton height={260} />}>
            <WaitingHistogram result={result} label={inWords} />
          </Suspense>
        )}
        <Text size="sm">{inWords}</Text>
      </Stack>
    </section>
  )
}

function Parts({ parts }: Pick<DryRun, 'parts'>) {
  const { dryRun: text, format } = texts()
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.partColumns.part}</Table.Th>
            <Table.Th>{text.partColumns.places}</Table.Th>
            <Table.Th>{text.partColumns.people}</Table.Th>
            <Table.Th>{text.partColumns.short}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {parts.map((part) => (
            <Table.Tr key={parts.indexOf(part)}>
              <Table.Td>{part.when}</Table.Td>
              <Table.Td>{format.number(part.count)}</Table.Td>
              <Table.Td>{format.number(part.people)}</Table.Td>
              <Table.Td>{format.share(Math.round(1_000 * part.shortShare), 1_000)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
