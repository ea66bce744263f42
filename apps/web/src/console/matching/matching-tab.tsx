import { type DryRun, type DryRunArrivals, matchingRoutes } from '@atrium/contract'
import { Alert, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { texts } from '../../text/console.ts'
import { Failure } from '../feedback/failure.tsx'
import { Figure } from '../feedback/figure.tsx'
import { useApi } from '../session/session.ts'
import { DryRunFields } from './dry-run-fields.tsx'
import { figuresOf, histogramInWords } from './dry-run-figures.ts'

const WaitingHistogram = lazy(() => import('./waiting-histogram.tsx'))

export default function MatchingTab({ experimentId }: { experimentId: string }) {
  const text = texts().dryRun
  const api = useApi()
  const dryRun = useMutation({
    mutationFn: (arrivals: DryRunArrivals) =>
      api.call(matchingRoutes.dryRun, { params: { experimentId }, body: { arrivals } }),
  })
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
      <DryRunFields isBusy={dryRun.isPending} onRun={dryRun.mutate} />
      {dryRun.error && <Failure error={dryRun.error} title={text.failed} />}
      {dryRun.data && <DryRunResult result={dryRun.data} />}
    </Stack>
  )
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
