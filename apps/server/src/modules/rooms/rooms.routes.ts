import { roomRoutes, roomsPerPage, wholeNumberOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newRoomId } from '../../kernel/ids.ts'
import type { Experiments } from '../experiments/index.ts'
import { actorOf, type Identity, type ResearcherPseudonym, signedBy } from '../identity/index.ts'
import type { AuditEntry } from '../operations/index.ts'
import type { Sessions } from '../sessions/index.ts'
import type { ResearcherActionType, RoomAction } from './model/room-action.ts'
import { isStillIn } from './model/room-audience.ts'
import type { RoomState } from './model/room-state.ts'
import { reportRoom, reportSeats } from './reports/report.ts'
import { isAgentParticipant } from './rooms.store.ts'
import type { Rooms } from './rooms.ts'

export interface RoomRouteDeps {
  rooms: Rooms
  experiments: Experiments
  sessions: Sessions
  clock: Clock
  audit(entry: AuditEntry): Promise<void>
  researcherPseudonym: ResearcherPseudonym
}

type ResearcherAction = RoomAction<ResearcherActionType>
type WithoutBy<Action> = Action extends unknown ? Omit<Action, 'by' | 'researcher'> : never

/** What a researcher may read of a room and do to it. Every change is audited. */
export function addRoomRoutes(routes: Routes<Identity>, deps: RoomRouteDeps): void {
  const { rooms, experiments, sessions, clock, audit } = deps
  const definitionOf = async ({ experimentId, revision }: RoomState) =>
    await experiments.definition(experimentId, revision)

  routes.add(roomRoutes.create, async ({ params, body, identity }) => {
    const { experimentId } = await experiments.find(params.experimentId)
    const roomId = newRoomId()
    const members = body.participantIds.map((participantId) => ({ participantId, role: null }))
    const creation = await rooms.create({ roomId, experimentId, members, agents: [] })
    if (creation.kind === 'unfit')
      throw new AppError(
        'ACTION_REFUSED',
        { participantIds: creation.participantIds },
        'All participants must have joined the same revision, still be taking part, have given consent if it is required, and not have a room yet.',
      )
    await sessions.roomChanged(body.participantIds)
    await audit({
      at: clock.now(),
      actor: signedBy(identity),
      action: 'room_created',
      subject: roomId,
      details: body,
    })
    return { roomId }
  })
  routes.add(
    roomRoutes.list,
    async ({ params, query }) =>
      await rooms.list(params.experimentId, {
        openOnly: query.status === 'open',
        limit: wholeNumberOf(query.limit, roomsPerPage),
        before: query.before ?? null,
      }),
  )
  routes.add(roomRoutes.state, async ({ params }) => {
    const { state, podId } = await rooms.locate(params.roomId)
    return reportRoom(state, podId, await definitionOf(state))
  })
  routes.add(roomRoutes.participants, async ({ params }) => {
    const room = await rooms.read(params.roomId)
    const { agents } = await definitionOf(room)
    return { participants: reportSeats(room, clock.now(), agents) }
  })
  addControlRoutes(routes, deps)
}

/** What researchers do to a room; each of it is in the audit. */
function addControlRoutes(
  routes: Routes<Identity>,
  { rooms, sessions, clock, audit, researcherPseudonym }: RoomRouteDeps,
): void {
  const change = async (roomId: string, identity: Identity, action: WithoutBy<ResearcherAction>) => {
    const by = actorOf(identity)
    const seq = await rooms.dispatch(roomId, {
      ...action,
      by,
      researcher: researcherPseudonym(by),
    } as ResearcherAction)
    await audit({
      at: clock.now(),
      actor: signedBy(identity),
      action: `room_${action.type}`,
      subject: roomId,
      details: { seq },
    })
    return { ok: true as const, seq }
  }

  routes.add(
    roomRoutes.advance,
    async ({ params, identity }) => await change(params.roomId, identity, { type: 'advance' }),
  )
  routes.add(
    roomRoutes.pause,
    async ({ params, body, identity }) =>
      await change(params.roomId, identity, {
        type: 'pause',
        reason: body.reason ?? 'The researcher has paused the room.',
      }),
  )
  routes.add(
    roomRoutes.resume,
    async ({ params, identity }) => await change(params.roomId, identity, { type: 'resume' }),
  )
  routes.add(
    roomRoutes.end,
    async ({ params, body, identity }) =>
      await change(params.roomId, identity, { type: 'end', reason: body.reason ?? 'ended_by_researcher' }),
  )
  routes.add(roomRoutes.message, async ({ params, body, identity }) => {
    const to = body.participantId ?? null
    if (to !== null) refuseUnlessStillIn(await rooms.read(params.roomId), to)
    return await change(params.roomId, identity, { type: 'announce', text: body.text, to })
  })
  routes.add(roomRoutes.remove, async ({ params, body, identity }) => {
    const { roomId, participantId } = params
    const outcome = body.outcome ?? 'TECHNICAL'
    const done = await change(roomId, identity, { type: 'remove', participantId, outcome })
    if (!isAgentParticipant(participantId))
      await sessions.revokeParticipant(participantId, signedBy(identity))
    return done
  })
  routes.add(
    roomRoutes.prompt,
    async ({ params: { roomId, participantId }, identity }) =>
      await change(roomId, identity, { type: 'prompt', participantId }),
  )
}

/** RM95: checked here rather than in the reducer, because older logs hold announcements to people who had left. */
function refuseUnlessStillIn(room: RoomState, participantId: string): void {
  const seat = room.seats.find((one) => one.participantId === participantId)
  if (room.status.kind !== 'ended' && seat && !isStillIn(seat))
    throw new AppError('ACTION_REFUSED', { participantId }, 'This participant is no longer taking part.')
}
