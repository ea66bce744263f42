import { type LiveExperiment, type LiveRoom, mayWith } from '@atrium/contract'
import { Group, Pagination, SegmentedControl, Select, Text, Title } from '@mantine/core'
import { useCallback, useState } from 'react'
import { texts } from '../../text/console.ts'
import { useExperiment } from '../experiments/experiment-queries.ts'
import { RoomActionDialog } from '../rooms/room-action-dialog.tsx'
import type { RoomAction } from '../rooms/room-actions.ts'
import { LiveRoomRow } from './live-room-row.tsx'
import { stuckBy } from './stuck.ts'
import { wholeSeconds } from './use-now.ts'

interface LiveRoomsProps {
  experimentId: string
  live: LiveExperiment
  now: number
  /** Shows what is said in this room only. */
  onChoose: (roomId: string) => void
}

interface Asked {
  roomId: string
  action: RoomAction
  /** A new dialog each time: what was typed for one room must not reach the next. */
  ordinal: number
  isOpen: boolean
}

/** As many as are drawn at once: a page of a thousand rooms would be slow to type on. */
const roomsPerPage = 25

/** The open rooms, each as a sentence. Those that may need somebody have a filter of their own: no row ever jumps to the top. */
export function LiveRooms({ experimentId, live, now, onChoose }: LiveRoomsProps) {
  const text = texts().live
  const [only, setOnly] = useState<'all' | 'stuck'>('all')
  const [stateId, setStateId] = useState<string | null>(null)
  const [page, setPage] = useState(1)
  const [asked, setAsked] = useState<Asked>()
  const access = useExperiment(experimentId).data?.access
  const ask = useCallback(
    (roomId: string, action: RoomAction) =>
      setAsked((before) => ({ roomId, action, ordinal: (before?.ordinal ?? 0) + 1, isOpen: true })),
    [],
  )
  const usualOf = new Map(live.usual.map((usual) => [usual.stateId, usual]))
  const rows = live.rooms.toSorted(newestFirst).map((room) => {
    const usual = usualOf.get(room.state?.id ?? '')
    return { room, usual, stuck: stuckBy(room, now, usual) }
  })
  const stuckRooms = rows.filter(({ stuck }) => stuck !== null).length
  const shown = rows.filter(
    ({ room, stuck }) =>
      (only === 'all' || stuck !== null) && (stateId === null || room.state?.id === stateId),
  )
  const pages = Math.max(1, Math.ceil(shown.length / roomsPerPage))
  const at = Math.min(page, pages)
  return (
    <section aria-labelledby="live-rooms">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={3} size="h5" id="live-rooms">
          {text.rooms}
        </Title>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            transitionDuration={0}
            aria-label={text.filter}
            value={only}
            onChange={(value) => setOnly(value === 'stuck' ? 'stuck' : 'all')}
            data={[
              { value: 'all', label: text.all(live.rooms.length, live.hasMoreRooms) },
              { value: 'stuck', label: text.stuckRooms(stuckRooms) },
            ]}
          />
          <Select
            size="xs"
            w={180}
            clearable
            searchable
            aria-label={text.state}
            placeholder={text.anyState}
            nothingFoundMessage={text.noState}
            value={stateId}
            onChange={setStateId}
            data={statesIn(live.rooms)}
          />
        </Group>
      </Group>
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          {live.rooms.length === 0 ? text.noRooms : only === 'stuck' ? text.noneStuck : text.noneInState}
        </Text>
      ) : (
        <ul className="live-rooms">
          {shown.slice((at - 1) * roomsPerPage, at * roomsPerPage).map(({ room, usual, stuck }) => (
            <LiveRoomRow
              key={room.roomId}
              experimentId={experimentId}
              room={room}
              time={timeIn(room, now, usual?.medianMs)}
              stuck={stuck}
              canSteer={access !== undefined && mayWith(access, 'edit')}
              onChoose={onChoose}
              onAsk={ask}
            />
          ))}
        </ul>
      )}
      {pages > 1 && (
        <Pagination
          mt="sm"
          size="sm"
          total={pages}
          value={at}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': text.turnTo[control] })}
          getItemProps={(number) => ({ 'aria-label': text.page(number) })}
        />
      )}
      {asked && (
        <RoomActionDialog
          key={asked.ordinal}
          roomId={asked.roomId}
          action={asked.action}
          isOpen={asked.isOpen}
          onClose={() => setAsked({ ...asked, isOpen: false })}
        />
      )}
    </section>
  )
}

/** Rooms that nobody has entered have no number yet. */
const newestFirst = (one: LiveRoom, other: LiveRoom): number =>
  (other.position ?? Number.MAX_SAFE_INTEGER) - (one.position ?? Number.MAX_SAFE_INTEGER)

function timeIn({ enteredAt }: LiveRoom, now: number, usualMs: number | undefined): string {
  const { live: text, format } = texts()
  if (enteredAt === null) return ''
  const usual = usualMs === undefined ? null : format.duration(wholeSeconds(usualMs))
  return text.since(format.duration(wholeSeconds(now - enteredAt)), usual)
}

/** Where rooms are now, and how many of them. */
function statesIn(rooms: readonly LiveRoom[]) {
  const byState = Map.groupBy(rooms, ({ state }) => state?.id)
  return [...byState].flatMap(([id, some]) =>
    id === undefined
      ? []
      : [{ value: id, label: texts().live.inState(some[0]?.state?.name ?? id, some.length) }],
  )
}
