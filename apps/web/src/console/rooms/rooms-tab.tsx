import type { RoomSummary } from '@atrium/contract'
import { Button, Group, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { useState } from 'react'
import { Failure } from '../feedback/failure.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { RoomList } from './room-list.tsx'
import { type RoomFilter, useRooms } from './room-queries.ts'

export function RoomsTab({ experimentId }: { experimentId: string }) {
  const [filter, setFilter] = useState<RoomFilter>('open')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useRooms(
    experimentId,
    filter,
  )
  const rooms = data?.pages.flatMap((page) => page.rooms)
  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label="Which rooms"
          value={filter}
          onChange={(value) => setFilter(value === 'open' ? 'open' : 'all')}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'all', label: 'All' },
          ]}
        />
      </Group>
      {error && <Failure error={error} onRetry={refetch} />}
      {rooms ? (
        <FoundRooms
          experimentId={experimentId}
          rooms={rooms}
          filter={filter}
          onShowAll={() => setFilter('all')}
        />
      ) : (
        !error && <Skeleton height={220} role="status" aria-label="Loading" />
      )}
      {hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface FoundRoomsProps {
  experimentId: string
  rooms: RoomSummary[]
  filter: RoomFilter
  onShowAll: () => void
}

function FoundRooms({ experimentId, rooms, filter, onShowAll }: FoundRoomsProps) {
  if (rooms.length > 0) return <RoomList experimentId={experimentId} rooms={rooms} />
  return filter === 'open' ? (
    <NothingHere
      title="No open rooms"
      action={
        <Button variant="default" mt="sm" onClick={onShowAll}>
          Show all rooms
        </Button>
      }
    >
      A room opens when someone joins, or, where people share one, when a group is matched.
    </NothingHere>
  ) : (
    <NothingHere title="No rooms yet">
      Nobody has taken part so far. Rooms appear here as soon as people do.
    </NothingHere>
  )
}
