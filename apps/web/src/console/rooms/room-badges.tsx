import type { RoomReport, SeatReport } from '@atrium/contract'
import { Badge } from '@mantine/core'
import { texts } from '../../text/console.ts'

const roomColours: Record<RoomReport['status'], string> = {
  running: 'teal.9',
  paused: 'yellow',
  ended: 'gray',
}

/** A room that runs while nobody is connected to it is called resting; a paused one is paused either way. */
export function RoomBadge({ status, resting }: Pick<RoomReport, 'status' | 'resting'>) {
  const isResting = resting && status === 'running'
  return (
    <Badge color={isResting ? 'gray' : roomColours[status]} variant="filled" tt="none" miw="max-content">
      {isResting ? texts().rooms.resting : texts().rooms.statuses[status]}
    </Badge>
  )
}

const seatColours: Record<SeatReport['status'], string> = {
  active: 'teal.9',
  dropped: 'orange',
  left: 'gray',
  removed: 'red',
  replaced: 'gray',
  finished: 'accent',
  agent: 'grape',
}

export const SeatBadge = ({ status }: Pick<SeatReport, 'status'>) => (
  <Badge color={seatColours[status]} variant="filled" tt="none" miw="max-content">
    {texts().seats.statuses[status]}
  </Badge>
)
