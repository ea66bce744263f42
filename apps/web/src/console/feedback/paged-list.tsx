import { Button, Group, Skeleton } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { texts } from '../../text/console.ts'
import { Failure } from './failure.tsx'

interface PagedListProps<Page, Row> {
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  rowsOf: (page: Page) => Row[]
  children: (rows: Row[]) => ReactNode
}

/** A list that is loaded page by page, with its failure and a button for the next page. */
export function PagedList<Page, Row>({ query, rowsOf, children }: PagedListProps<Page, Row>) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  return (
    <>
      {error && <Failure error={error} onRetry={refetch} />}
      {data
        ? children(data.pages.flatMap(rowsOf))
        : !error && <Skeleton height={220} role="status" aria-label={texts().feedback.loading} />}
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts().feedback.loadMore}
          </Button>
        </Group>
      )}
    </>
  )
}
