import type { LiveRoom } from '@atrium/contract'
import { Menu, UnstyledButton } from '@mantine/core'
import { memo, useState } from 'react'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { actionsFor, type RoomAction } from '../rooms/room-actions.ts'
import type { Stuck } from './stuck.ts'

interface LiveRoomRowProps {
  experimentId: string
  room: LiveRoom
  /** How long it has been in its state, and how long others were. */
  time: string
  stuck: Stuck | null
  canSteer: boolean
  onChoose: (roomId: string) => void
  onAsk: (roomId: string, action: RoomAction) => void
}

/** Plain elements, drawn again only if something in them changes: there are many, and time passes in all of them. */
export const LiveRoomRow = memo(function LiveRoomRow(props: LiveRoomRowProps) {
  const { experimentId, room, time, stuck, ...menu } = props
  const address = `/experiments/${experimentId}/rooms/${room.roomId}`
  return (
    <li className="live-room" data-stuck={stuck !== null}>
      <Link href={address} className="live-sentence">
        {sentenceOf(room)}
      </Link>
      <Seats seats={room.seats} />
      <span className="figure live-time">{time}</span>
      <RoomMenu room={room} address={address} {...menu} />
      {stuck && (
        <span className="live-stuck">
          <span aria-hidden>⚠ </span>
          {texts().live.stuck[stuck]}
        </span>
      )}
    </li>
  )
})

type RoomMenuProps = Pick<LiveRoomRowProps, 'room' | 'canSteer' | 'onChoose' | 'onAsk'> & { address: string }

/** A menu is made when somebody first opens it. */
function RoomMenu({ room, address, canSteer, onChoose, onAsk }: RoomMenuProps) {
  const { live: text, roomActions } = texts()
  const [isUsed, setUsed] = useState(false)
  const button = { className: 'live-more', 'aria-label': text.more(text.room(room.position)) }
  if (!isUsed)
    return (
      <button type="button" {...button} aria-haspopup="menu" onClick={() => setUsed(true)}>
        <span aria-hidden>⋯</span>
      </button>
    )
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} defaultOpened>
      <Menu.Target>
        <UnstyledButton {...button}>
          <span aria-hidden>⋯</span>
        </UnstyledButton>
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
      {seats.map(({ alias, status, presence, state }) => {
        const kind =
          status === 'agent' || (status === 'active' && presence === 'connected')
            ? 'here'
            : status === 'active' || status === 'dropped'
              ? 'away'
              : 'gone'
        const label = text.seat(alias, text[kind], state)
        // A hidden agent goes on under the alias of the person whose seat it took.
        const key = `${alias} ${status}`
        return <span key={key} role="img" aria-label={label} title={label} data-presence={kind} />
      })}
    </span>
  )
}
