import { Skeleton, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  /** About the height of what will stand here, so that nothing jumps when it does. */
  skeletonHeight?: number
  children: (data: Data) => ReactNode
}

/**
 * What a query gave. Once there is something it stays: a failed refresh is said above it instead of taking away what
 * the researcher is looking at.
 */
export function Loaded<Data>({ query, skeletonHeight = 200, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query
  if (data === undefined)
    return error ? (
      <Failure error={error} onRetry={refetch} />
    ) : (
      <div role="status" aria-label="Loading">
        <Skeleton height={skeletonHeight} />
      </div>
    )
  return (
    <Stack gap="md">
      {error && <Failure error={error} onRetry={refetch} title="This may be out of date" />}
      {children(data)}
    </Stack>
  )
}
