import type { LiveRoom } from '@atrium/contract'
import { ActionIcon, Anchor, Menu, Paper, Text } from '@mantine/core'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { actionsFor, type RoomAction } from '../rooms/room-actions.ts'
import type { Stuck } from './stuck.ts'
import { wholeSeconds } from './use-now.ts'

interface LiveRoomRowProps {
  experimentId: string
  room: LiveRoom
  now: number
  usualMs: number | undefined
  stuck: Stuck | null
  canSteer: boolean
  onChoose: (roomId: string) => void
  onAsk: (roomId: string, action: RoomAction) => void
}

export function LiveRoomRow({ experimentId, room, now, usualMs, stuck, ...menu }: LiveRoomRowProps) {
  const { live: text, format } = texts()
  const address = `/experiments/${experimentId}/rooms/${room.roomId}`
  return (
    <Paper component="li" withBorder className="live-room" data-stuck={stuck !== null}>
      <Anchor component={Link} href={address} size="sm" fw={600} className="live-sentence">
        {sentenceOf(room)}
      </Anchor>
      <Seats seats={room.seats} />
      <Text size="sm" c="dimmed" className="figure live-time">
        {room.enteredAt !== null &&
          text.since(
            format.duration(wholeSeconds(now - room.enteredAt)),
            usualMs === undefined ? null : format.duration(wholeSeconds(usualMs)),
          )}
      </Text>
      <RoomMenu room={room} address={address} {...menu} />
      {stuck && (
        <Text size="sm" c="var(--mantine-color-error)" className="live-stuck">
          <span aria-hidden>⚠ </span>
          {text.stuck[stuck]}
        </Text>
      )}
    </Paper>
  )
}

type RoomMenuProps = Pick<LiveRoomRowProps, 'room' | 'canSteer' | 'onChoose' | 'onAsk'> & { address: string }

function RoomMenu({ room, address, canSteer, onChoose, onAsk }: RoomMenuProps) {
  const { live: text, roomActions } = texts()
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={text.more(text.room(room.position))}>
          <span aria-hidden>⋯</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose(room.roomId)}>{text.onlyWords}</Menu.Item>
        <Menu.Item component={Link} href={`${address}/replay`}>
          {texts().replay.open}
        </Menu.Item>
        {canSteer && <Menu.Divider />}
        {canSteer &&
          actionsFor(room.status).map((action) => (
            <Menu.Item
              key={action.kind}
              {...(action.kind === 'end' && { c: 'var(--mantine-color-error)' })}
              onClick={() => onAsk(room.roomId, action)}
            >
              {roomActions.labels[action.kind]}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** “Room 3 · Contribute · round 2 of 5”. */
function sentenceOf({ position, state, resting, status }: LiveRoom): string {
  const { live: text, rooms } = texts()
  const isNew = position === null
  const place = state
    ? [
        state.name ?? state.id,
        ...(state.round !== null && state.rounds !== null && state.rounds > 1
          ? [text.round(state.round, state.rounds)]
          : []),
      ]
    : [isNew ? text.notBegun : resting ? text.resting : text.ownPace]
  return [text.room(position), ...place, ...(status === 'paused' ? [rooms.statuses.paused] : [])].join(' · ')
}

function Seats({ seats }: Pick<LiveRoom, 'seats'>) {
  const text = texts().live
  return (
    <span className="live-seats">
      {seats.map(({ alias, status, presence }) => {
        const kind =
          status === 'agent' || (status === 'active' && presence === 'connected')
            ? 'here'
            : status === 'active' || status === 'dropped'
              ? 'away'
              : 'gone'
        const label = text.seat(alias, text[kind])
        return <span key={alias} role="img" aria-label={label} title={label} data-presence={kind} />
      })}
    </span>
  )
}
