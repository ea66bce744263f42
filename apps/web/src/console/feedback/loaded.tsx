import { Skeleton, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { texts } from '../../text/console.ts'
import { Failure } from './failure.tsx'

interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  /** About the height of the content, so that nothing jumps when it arrives. */
  skeletonHeight?: number
  children: (data: Data) => ReactNode
}

/** What a query returned. Once there, it stays: a failed refresh is reported above it and takes nothing away. */
export function Loaded<Data>({ query, skeletonHeight = 200, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query
  if (data === undefined)
    return error ? (
      <Failure error={error} onRetry={refetch} />
    ) : (
      <div role="status" aria-label={texts().feedback.loading}>
        <Skeleton height={skeletonHeight} />
      </div>
    )
  return (
    <Stack gap="md">
      {error && <Failure error={error} onRetry={refetch} title={texts().feedback.outdated} />}
      {children(data)}
    </Stack>
  )
}

/** Stands for a whole page while its code is loaded. */
export const PageSkeleton = () => (
  <Stack role="status" aria-label={texts().feedback.loading}>
    <Skeleton height={36} width={260} />
    <Skeleton height={320} />
  </Stack>
)
