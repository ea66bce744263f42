import type { ExperimentHead } from '@atrium/contract'
import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { Failure } from '../feedback/failure.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { counted } from '../text/numbers.ts'
import { ExperimentList } from './experiment-list.tsx'
import { useExperiments } from './experiment-queries.ts'

export function ExperimentsPage() {
  const { data, error, refetch } = useExperiments()
  return (
    <Stack>
      <PageTitle
        beside={
          <Button component={Link} href="/new">
            New experiment
          </Button>
        }
      >
        Experiments
      </PageTitle>
      {error && <Failure error={error} onRetry={refetch} />}
      {data ? <FoundExperiments experiments={data} /> : !error && <ListSkeleton />}
    </Stack>
  )
}

function FoundExperiments({ experiments }: { experiments: ExperimentHead[] }) {
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search).trim().toLowerCase()
  const found = experiments.filter(({ name, experimentId, status }) =>
    [name, experimentId, status].some((text) => text.toLowerCase().includes(wanted)),
  )
  if (experiments.length === 0)
    return (
      <NothingHere
        title="No experiments yet"
        action={
          <Button component={Link} href="/new" mt="sm">
            New experiment
          </Button>
        }
      >
        An experiment is a definition: the states people go through, what they see and answer, and who shares
        a room. Begin with one of the starting points and change it to what you need.
      </NothingHere>
    )
  return (
    <>
      <TextInput
        label="Search"
        placeholder="Name, id or status"
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maw={420}
      />
      <Text size="sm" c="dimmed" role="status">
        {wanted === ''
          ? counted(experiments.length, 'experiment')
          : `${counted(found.length, 'experiment')} of ${experiments.length}`}
      </Text>
      {found.length > 0 ? (
        <ExperimentList experiments={found} />
      ) : (
        <NothingHere
          title="Nothing found"
          action={
            <Button variant="default" onClick={() => setSearch('')}>
              Clear the search
            </Button>
          }
        >
          No experiment has “{search.trim()}” in its name, id or status.
        </NothingHere>
      )}
    </>
  )
}

function ListSkeleton() {
  return (
    <Stack role="status" aria-label="Loading" gap="xs">
      <Skeleton height={60} maw={420} />
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} height={44} />
      ))}
    </Stack>
  )
}
