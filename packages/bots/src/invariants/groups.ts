import { groupSizeOf, stageOf } from '@atrium/contract'
import { eventsOf, participantIdOf, roomIdsOf } from '../bot-log.ts'
import { type Invariant, partsOf } from './evidence.ts'

export const nobodyInTwoRooms: Invariant = {
  name: 'nobody is in two rooms',
  breaches({ logs, rooms }) {
    const told = logs.flatMap((log) => {
      const tooMany = partsOf(log)
        .map(roomIdsOf)
        .filter(({ length }) => length > 1)
      return tooMany.map((ids) => `${log.subject} was told of ${ids.join(' and ')}`)
    })
    const stages = new Map(logs.map((log) => [participantIdOf(log), partsOf(log).length]))
    const seats = rooms.flatMap(({ report, seats }) =>
      seats.map(({ participantId }) => ({ participantId, roomId: report.roomId })),
    )
    const seated = [...Map.groupBy(seats, ({ participantId }) => participantId)].flatMap(([id, places]) =>
      places.length > (stages.get(id) ?? 1)
        ? [`${id} has seats in ${places.map(({ roomId }) => roomId).join(' and ')}`]
        : [],
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
  breaches({ definition, rooms, exported }) {
    const stages = new Map(exported.map(({ roomId, stage }) => [roomId, stage]))
    return rooms.flatMap(({ report, seats }) => {
      const played = stageOf(definition, stages.get(report.roomId) ?? null)
      const { min, max } = groupSizeOf(played)
      // People only: agents may have filled the other seats.
      const smallest = mayBeShort.has(String(played.matching?.onDeadline)) ? 1 : min
      return seats.length < smallest || seats.length > max
        ? [`${report.roomId} has ${seats.length} seats, not ${smallest} to ${max}`]
        : []
    })
  },
}
