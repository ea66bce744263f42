import { eventsOf } from '../bot-log.ts'
import { exportedBy, type Invariant } from './evidence.ts'

/** Acknowledged actions are stored exactly once, in the order in which they were performed. */
export const acknowledgedIsStored: Invariant = {
  name: 'every acknowledged action is in the export exactly once and in order',
  breaches(evidence) {
    const linesOf = exportedBy(evidence)
    return evidence.logs.flatMap((log) => {
      const acknowledged = eventsOf(log, 'acknowledged').map(({ actionId }) => actionId)
      const wanted = new Set(acknowledged)
      const stored = linesOf(log)
        .map(({ data }) => data.actionId)
        .filter((actionId): actionId is string => typeof actionId === 'string' && wanted.has(actionId))
      const lost = acknowledged.filter((actionId) => !stored.includes(actionId))
      const doubled = stored.filter((actionId, index) => stored.indexOf(actionId) < index)
      if (lost.length + doubled.length > 0)
        return [`${log.subject}: lost ${lost.join(', ') || 'none'}; doubled ${doubled.join(', ') || 'none'}`]
      const misplaced = acknowledged.find((actionId, index) => stored[index] !== actionId)
      return misplaced === undefined ? [] : [`${log.subject}: ${misplaced} is stored out of order`]
    })
  },
}

/** The data holds no refused actions, and none that nobody performed. */
export const storedWasDone: Invariant = {
  name: 'every stored action was sent, and not refused',
  breaches(evidence) {
    const linesOf = exportedBy(evidence)
    return evidence.logs.flatMap((log) => {
      const refused = new Set(eventsOf(log, 'refused').map(({ actionId }) => actionId))
      const sent = new Map(eventsOf(log, 'sent').map((event) => [event.actionId, event]))
      return linesOf(log).flatMap(({ data, stateId, componentId }) => {
        const { actionId } = data
        if (typeof actionId !== 'string') return []
        const action = sent.get(actionId)
        if (!action || refused.has(actionId))
          return [`${log.subject}: ${actionId} is stored and should not be`]
        // A message may arrive in a later state; an answer belongs to the state in which it was given.
        const isHere = action.action === 'send_message' || action.stateId === stateId
        return isHere && action.componentId === componentId
          ? []
          : [`${log.subject}: ${actionId} is stored for ${stateId}/${componentId}`]
      })
    })
  },
}

export const numberedWithoutHoles: Invariant = {
  name: 'the events of a session are numbered without holes, in the order of the export',
  breaches({ exported }) {
    const sessions = Map.groupBy(exported, ({ sessionId }) => sessionId)
    return [...sessions].flatMap(([sessionId, lines]) => {
      const at = lines.findIndex(({ seq }, index) => seq !== index + 1)
      return at < 0 ? [] : [`${sessionId}: ${lines[at]?.seq} stands where ${at + 1} should`]
    })
  },
}
