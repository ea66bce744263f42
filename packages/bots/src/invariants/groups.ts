import { groupSizeOf } from '@atrium/contract'
import { eventsOf, participantIdOf } from '../bot-log.ts'
import type { Invariant } from './evidence.ts'

export const nobodyInTwoRooms: Invariant = {
  name: 'nobody is in two rooms',
  breaches({ logs, rooms }) {
    const told = logs.flatMap((log) => {
      const ids = [...eventsOf(log, 'assigned'), ...eventsOf(log, 'entered')].map(({ roomId }) => roomId)
      const distinct = [...new Set(ids)]
      return distinct.length > 1 ? [`${log.subject} was told of ${distinct.join(' and ')}`] : []
    })
    const seats = rooms.flatMap(({ report, seats }) =>
      seats.map(({ participantId }) => ({ participantId, roomId: report.roomId })),
    )
    const seated = [...Map.groupBy(seats, ({ participantId }) => participantId)].flatMap(([id, places]) =>
      places.length > 1 ? [`${id} has seats in ${places.map(({ roomId }) => roomId).join(' and ')}`] : [],
    )
    return [...told, ...seated]
  },
}

export const everyoneHasTheirSeat: Invariant = {
  name: 'who was told of a room has a seat in it',
  breaches({ logs, rooms }) {
    const seated = new Set(
      rooms.flatMap(({ report, seats }) =>
        seats.map(({ participantId }) => `${report.roomId} ${participantId}`),
      ),
    )
    return logs.flatMap((log) =>
      eventsOf(log, 'assigned')
        .filter(({ roomId }) => !seated.has(`${roomId} ${participantIdOf(log)}`))
        .map(({ roomId }) => `${log.subject} has no seat in ${roomId}`),
    )
  },
}

const mayBeShort = new Set(['start_short', 'fill_with_agent'])

export const groupsWithinLimits: Invariant = {
  name: 'groups are of the size that the experiment asks for',
  breaches({ definition, rooms }) {
    const { min, max } = groupSizeOf(definition)
    // People only: agents may have filled the other seats.
    const smallest = mayBeShort.has(String(definition.matching?.onDeadline)) ? 1 : min
    return rooms
      .filter(({ seats }) => seats.length < smallest || seats.length > max)
      .map(({ report, seats }) => `${report.roomId} has ${seats.length} seats, not ${smallest} to ${max}`)
  },
}
