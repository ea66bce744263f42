import type { ExperimentHead } from '@atrium/contract'
import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { Failure } from '../feedback/failure.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { ExperimentList } from './experiment-list.tsx'
import { useExperiments } from './experiment-queries.ts'
import { draftOf, firstSteps, type Remembered } from './first-steps.ts'
import { FirstStepsCard } from './first-steps-card.tsx'

export function ExperimentsPage() {
  const text = texts().experiments
  const { data, error, refetch } = useExperiments()
  return (
    <Stack>
      <PageTitle
        beside={
          <Button component={Link} href="/new">
            {text.new}
          </Button>
        }
      >
        {text.title}
      </PageTitle>
      {error && <Failure error={error} onRetry={refetch} />}
      {data ? <StepsAndExperiments experiments={data} /> : !error && <ListSkeleton />}
    </Stack>
  )
}

function StepsAndExperiments({ experiments }: { experiments: ExperimentHead[] }) {
  const [remembered, remember] = useLocalStorage<Remembered>({
    key: 'atrium.first-steps',
    defaultValue: { isHidden: false, tried: null },
    // At once, so that nobody who has hidden the steps sees them flash.
    getInitialValueInEffect: false,
  })
  const steps = firstSteps(experiments, remembered)
  const hide = () => {
    remember({ ...remembered, isHidden: true })
    // The button that had the focus is gone.
    document.getElementById('page')?.focus()
  }
  return (
    <>
      {steps && (
        <FirstStepsCard
          steps={steps}
          onTake={(step, href) => {
            if (step === 'try') remember({ ...remembered, tried: draftOf(href) })
          }}
          onHide={hide}
        />
      )}
      {steps && experiments.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts().experiments.empty.title}
        </Text>
      ) : (
        <FoundExperiments experiments={experiments} />
      )}
    </>
  )
}

function FoundExperiments({ experiments }: { experiments: ExperimentHead[] }) {
  const text = texts().experiments
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search).trim().toLowerCase()
  const found = experiments.filter(({ name, experimentId, status }) =>
    [name, experimentId, status].some((value) => value.toLowerCase().includes(wanted)),
  )
  if (experiments.length === 0)
    return (
      <NothingHere
        title={text.empty.title}
        action={
          <Button component={Link} href="/new" mt="sm">
            {text.new}
          </Button>
        }
      >
        {text.empty.message}
      </NothingHere>
    )
  return (
    <>
      <TextInput
        label={text.search.label}
        placeholder={text.search.placeholder}
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maw={420}
      />
      <Text size="sm" c="dimmed" role="status">
        {wanted === '' ? text.count(experiments.length) : text.countOf(found.length, experiments.length)}
      </Text>
      {found.length > 0 ? (
        <ExperimentList experiments={found} />
      ) : (
        <NothingHere
          title={text.search.nothing}
          action={
            <Button variant="default" onClick={() => setSearch('')}>
              {text.search.clear}
            </Button>
          }
        >
          {text.search.nothingFor(search.trim())}
        </NothingHere>
      )}
    </>
  )
}

function ListSkeleton() {
  return (
    <Stack role="status" aria-label={texts().feedback.loading} gap="xs">
      <Skeleton height={60} maw={420} />
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} height={44} />
      ))}
    </Stack>
  )
}
