import { eventsOf } from '../bot-log.ts'
import { type Evidence, exportedBy, type Invariant, type Log, membersOf, wasAway } from './evidence.ts'

interface Visit {
  who: string
  visit: number
  /** State and round. */
  place: string
}

/** Members of a room that moves together agree on every visit; those who were away missed some, but saw no others. */
export const membersAgreeOnTheWay: Invariant = {
  name: 'the members of a room see the same states in the same order and rounds',
  breaches(evidence) {
    const [members, linesOf] = [membersOf(evidence), exportedBy(evidence)]
    return evidence.rooms
      .filter(({ report }) => report.pacing === 'room')
      .flatMap((room) => {
        const seen = members(room).map(visitsOf)
        const isHere = (line: Evidence['exported'][number]) => line.roomId === room.report.roomId
        const stored = members(room).flatMap((log) => transitionsIn(linesOf(log).filter(isHere)))
        return [...disagreements(seen.flat()), ...disagreements(stored), ...seen.flatMap(backwards)].map(
          (breach) => `${room.report.roomId}: ${breach}`,
        )
      })
  },
}

const visitsOf = (log: Log): Visit[] =>
  eventsOf(log, 'entered').map(({ visit, stateId, round }) => ({
    who: log.subject,
    visit,
    place: `${stateId} (round ${round})`,
  }))

/** Participants who stayed have seen every state, both in the bot's log and in the export. */
export const nothingSkipped: Invariant = {
  name: 'who was never away has entered every state of the way',
  breaches(evidence) {
    const linesOf = exportedBy(evidence)
    return evidence.logs
      .filter((log) => !wasAway(log))
      .flatMap((log) => {
        const byRoom = Map.groupBy(linesOf(log), ({ roomId }) => roomId)
        return [...byRoom.values()].flatMap((lines) => {
          const stored = transitionsIn(lines).map(({ visit }) => visit)
          const hole = stored.findIndex((visit, index) => visit !== index + 1)
          return hole < 0 ? [] : [`${log.subject}: visit ${stored[hole]} follows visit ${hole}`]
        })
      })
  },
}

const transitionsIn = (lines: Evidence['exported']): Visit[] =>
  lines
    .filter(({ type }) => type === 'state_transition')
    .map(({ participantId, stateId, data }) => ({
      who: participantId,
      visit: Number(data.visit),
      place: String(stateId),
    }))

const disagreements = (visits: readonly Visit[]): string[] =>
  [...Map.groupBy(visits, ({ visit }) => visit)].flatMap(([visit, those]) => {
    const places = [...new Set(those.map(({ place }) => place))]
    return places.length > 1 ? [`visit ${visit} is ${places.join(' for some, ')} for others`] : []
  })

/** A bot that comes back may see the same visit twice, but never an earlier one. */
const backwards = (visits: readonly Visit[]): string[] =>
  visits
    .filter(({ visit }, index) => visit < (visits[index - 1]?.visit ?? 0))
    .map(({ who, visit, place }) => `${who} went back to visit ${visit}, ${place}`)
