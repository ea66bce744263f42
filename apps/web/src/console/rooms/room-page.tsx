import { mayWith, type RoomReport, type SeatReport } from '@atrium/contract'
import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { PilotBadge } from '../agents/turns/agent-state.tsx'
import { RoomAgents } from '../agents/turns/room-agents.tsx'
import { useExperiment } from '../experiments/experiment-queries.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { isNotFound, NotFound } from '../feedback/nothing-here.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { NetworkSection } from '../network/network-section.tsx'
import { RoomActionDialog } from './room-action-dialog.tsx'
import { actionsFor, type RoomAction } from './room-actions.ts'
import { RoomBadge } from './room-badges.tsx'
import { RoomFacts } from './room-facts.tsx'
import { useRoom } from './room-queries.ts'
import { SeatList } from './seat-list.tsx'

interface RoomPageProps {
  experimentId: string
  roomId: string
}

export function RoomPage({ experimentId, roomId }: RoomPageProps) {
  const room = useRoom(roomId)
  // Nothing is offered until it is known whether this person may control the room.
  const access = useExperiment(experimentId).data?.access
  const canSteer = access !== undefined && mayWith(access, 'edit')
  return (
    <Stack>
      <Anchor component={Link} href={`/experiments/${experimentId}/rooms`} size="sm">
        {texts().room.back}
      </Anchor>
      <Group gap="sm">
        <PageTitle>{room.data ? texts().live.room(room.data.room.ordinal) : texts().room.title}</PageTitle>
        {room.data && <RoomBadge {...room.data.room} />}
        {room.data?.room.synthetic && <PilotBadge />}
        {room.data && (
          <Button
            component={Link}
            href={`/experiments/${experimentId}/rooms/${roomId}/replay`}
            variant="light"
            size="compact-md"
            ml="auto"
          >
            {texts().replay.open}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" className="figure" style={{ overflowWrap: 'anywhere' }}>
        {roomId}
      </Text>
      {isNotFound(room.error) ? (
        <NotFound what="room" />
      ) : (
        <Loaded query={room} skeletonHeight={360}>
          {(data) => (
            <RoomContent
              {...data}
              now={room.dataUpdatedAt}
              canSteer={canSteer}
              isViewOnly={access === 'view'}
            />
          )}
        </Loaded>
      )}
    </Stack>
  )
}

interface RoomContentProps {
  room: RoomReport
  seats: SeatReport[]
  now: number
  canSteer: boolean
  isViewOnly: boolean
}

function RoomContent({ room, seats, now, canSteer, isViewOnly }: RoomContentProps) {
  const text = texts().room
  const [asked, setAsked] = useState<{ action: RoomAction; ordinal: number; isOpen: boolean }>()
  // A new dialog each time: what was typed for one participant must not reach the next.
  const ask = (action: RoomAction) => setAsked({ action, ordinal: (asked?.ordinal ?? 0) + 1, isOpen: true })
  return (
    <Stack gap="lg">
      {room.status === 'ended' && (
        <Alert color="gray" title={text.endedTitle}>
          {room.endReason ?? text.everyoneFinished}
        </Alert>
      )}
      {isViewOnly && (
        <Text size="sm" c="dimmed">
          {text.viewOnly}
        </Text>
      )}
      {canSteer && actionsFor(room.status).length > 0 && (
        <Group gap="sm" role="group" aria-label={text.controls}>
          {actionsFor(room.status).map((action) => (
            <Button
              key={action.kind}
              variant={action.kind === 'end' ? 'outline' : 'default'}
              {...(action.kind === 'end' && { color: 'red' })}
              onClick={() => ask(action)}
            >
              {texts().roomActions.labels[action.kind]}
            </Button>
          ))}
        </Group>
      )}
      <RoomFacts room={room} now={now} />
      <section aria-labelledby="seats">
        <Title order={2} size="h4" id="seats" mb="sm">
          {text.seats}
        </Title>
        {seats.length > 0 ? (
          <SeatList
            roomId={room.roomId}
            seats={seats}
            now={now}
            isOpen={canSteer && room.status !== 'ended'}
            onAsk={ask}
          />
        ) : (
          <Text c="dimmed">{text.noSeats}</Text>
        )}
      </section>
      <NetworkSection seats={seats} />
      <RoomAgents room={room} seats={seats} now={now} canSteer={canSteer} />
      {asked && (
        <RoomActionDialog
          key={asked.ordinal}
          roomId={room.roomId}
          action={asked.action}
          isOpen={asked.isOpen}
          onClose={() => setAsked({ ...asked, isOpen: false })}
        />
      )}
    </Stack>
  )
}
