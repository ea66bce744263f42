import { Button, Group, SegmentedControl, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { PagedList } from '../feedback/paged-list.tsx'
import { LivePanel } from '../live/live-panel.tsx'
import { RoomList } from './room-list.tsx'
import { type RoomFilter, useRooms } from './room-queries.ts'

export function RoomsTab({ experimentId }: { experimentId: string }) {
  const [filter, setFilter] = useState<RoomFilter>('open')
  const text = texts().rooms
  return (
    <Stack>
      <LivePanel experimentId={experimentId} />
      <Group justify="space-between" mt="md">
        <Title order={2} size="h4">
          {text.list}
        </Title>
        <SegmentedControl
          transitionDuration={0}
          aria-label={text.filter}
          value={filter}
          onChange={(value) => setFilter(value === 'open' ? 'open' : 'all')}
          data={[
            { value: 'open', label: text.open },
            { value: 'all', label: text.all },
          ]}
        />
      </Group>
      <PagedList query={useRooms(experimentId, filter)} rowsOf={({ rooms }) => rooms}>
        {(rooms) =>
          rooms.length > 0 ? (
            <RoomList experimentId={experimentId} rooms={rooms} />
          ) : (
            <NoRooms filter={filter} onShowAll={() => setFilter('all')} />
          )
        }
      </PagedList>
    </Stack>
  )
}

function NoRooms({ filter, onShowAll }: { filter: RoomFilter; onShowAll: () => void }) {
  const text = texts().rooms
  if (filter === 'all') return <NothingHere title={text.none}>{text.noneMessage}</NothingHere>
  const showAll = (
    <Button variant="default" mt="sm" onClick={onShowAll}>
      {text.showAll}
    </Button>
  )
  return (
    <NothingHere title={text.noneOpen} action={showAll}>
      {text.noneOpenMessage}
    </NothingHere>
  )
}
