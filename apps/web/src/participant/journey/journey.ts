import {
  type ConnectionStatus,
  connectRoom,
  connectWaiting,
  type JoinOptions,
  type Participant,
  type Room,
  type Session,
  WaitingClosed,
} from '@atrium/client'
import type { RoomEvent, RoomSnapshot, WaitingStatus } from '@atrium/contract'
import { createRoomDesk } from '../room/room-desk.ts'
import { completeStudy } from './complete-study.ts'
import { isCompletedBefore, replacedByOtherTab, stoppedBy, stoppedByCode, unknownRoom } from './refusals.ts'
import { hasConsented, rememberConsent, rememberExperiment } from './remembered.ts'
import type { ConsentAnswer, Stage } from './stage.ts'

export interface Trip {
  experimentId: string
  join: JoinOptions
}

export interface Journey {
  /** From the beginning, or again from where the person was: joining resumes. */
  start(): Promise<void>
}

/**
 * One person’s way through a study: join, consent, wait, room, completion. `show` is told every stage. `findTrip` says
 * which study it is, when that is known.
 */
export function createJourney(
  participant: Participant,
  findTrip: () => Promise<Trip | undefined>,
  show: (stage: Stage) => void,
): Journey {
  let trip: Trip = { experimentId: '', join: {} }
  let room: Room | undefined
  /** It has ended, or goes on elsewhere. */
  let isOver = false

  participant.onStatus((status) => {
    if (status.kind === 'replaced') settle(replacedByOtherTab)
    if (status.kind === 'stopped') settle(stoppedByCode(status.code, status.message, status.details))
  })

  /** Nothing changes it any more, whatever a connection that is still closing may say; `start` begins anew. */
  function settle(stage: Stage): void {
    if (isOver) return
    isOver = true
    show(stage)
  }

  async function start(): Promise<void> {
    room?.close()
    isOver = false
    show({ kind: 'entering' })
    try {
      const found = await findTrip()
      if (!found) return show(unknownRoom)
      trip = found
      const session = await participant.join(trip.experimentId, trip.join)
      document.title = session.experimentConfig.name
      if (needsConsent(session)) askConsent(session)
      else await goOn()
    } catch (error) {
      await fail(error)
    }
  }

  async function fail(error: unknown): Promise<void> {
    if (isOver) return
    if (!isCompletedBefore(error)) return show(stoppedBy(error))
    // Whoever loads the page again after the end has lost the code from sight, and needs it to be paid.
    const sessions = await participant.history().catch(() => [])
    const code = sessions.find(
      (session) => session.experimentId === trip.experimentId && session.completionCode !== null,
    )?.completionCode
    if (code) finish({ outcome: null, completionCode: code, redirectUrl: '' })
    else show(stoppedBy(error))
  }

  function askConsent({ experimentConfig: { consent }, participantId }: Session): void {
    if (!consent) return
    async function decide(answer: ConsentAnswer): Promise<void> {
      const { agreed, ...data } = answer
      await participant.record({ type: agreed ? 'consent_given' : 'consent_declined', data })
      if (!agreed) return await complete('NO_CONSENT', undefined)
      rememberConsent(participantId)
      await goOn().catch(fail)
    }
    show({ kind: 'consent', consent, decide })
  }

  async function goOn(): Promise<void> {
    const isInRoom = !participant.session?.roomId.startsWith('waiting_')
    if (isInRoom || (await waitForRoom())) enterRoom()
  }

  /** False when the wait has ended without a room. */
  async function waitForRoom(): Promise<boolean> {
    let connection: ConnectionStatus = { kind: 'connecting' }
    let status: WaitingStatus | null = null
    const tell = () => {
      if (!isOver) show({ kind: 'waiting', status, connection, leave: () => waiting.leave() })
    }
    const waiting = connectWaiting(participant, {
      onStatus(news) {
        status = news
        tell()
      },
      onConnection(news) {
        connection = news
        if (news.kind === 'reconnecting' || news.kind === 'connected') tell()
      },
    })
    tell()
    try {
      await waiting.assigned
      return true
    } catch (error) {
      const ended = error instanceof WaitingClosed ? error.ended : null
      const isElsewhere = [waiting.connection.kind, participant.status.kind].includes('replaced')
      if (ended) finish({ ...ended, outcome: ended.reason })
      else if (isElsewhere) settle(replacedByOtherTab)
      else throw error
      return false
    }
  }

  function enterRoom(): void {
    let notice: string | null = null
    let lastState: string | undefined
    let lastView: RoomSnapshot | undefined
    let connection: ConnectionStatus = { kind: 'connecting' }
    const entered = connectRoom(participant, {
      onSnapshot: look,
      onEvent(event, view) {
        if (event.type === 'announcement') notice = event.text
        if (event.type === 'state_entered') notice = null
        if (event.type === 'finished' && event.completionCode !== null) finishRemoved(event)
        else look(view)
      },
      onStatus(status) {
        connection = status
        if (status.kind === 'replaced') settle(replacedByOtherTab)
        else if (status.kind === 'failed') settle(stoppedByCode(status.code, status.message, {}))
        else if (lastView) look(lastView)
      },
    })
    const desk = createRoomDesk(participant, entered, () => entered.view && look(entered.view))
    room = entered
    if (participant.session) rememberExperiment(participant.session.roomId, trip.experimentId)

    function look(view: RoomSnapshot): void {
      if (isOver) return
      lastView = view
      lastState = view.state?.id ?? lastState
      const outcome = view.self.outcome ?? (view.status === 'ended' ? 'ABANDONED' : undefined)
      if (outcome !== undefined) void complete(outcome, lastState)
      else show({ kind: 'room', view, connection, notice, desk })
    }
  }

  /** A removed participant’s session has ended with it; the code came along. */
  function finishRemoved({ outcome, completionCode }: Extract<RoomEvent, { type: 'finished' }>): void {
    finish({ outcome, completionCode, redirectUrl: '' })
  }

  async function complete(outcome: string, finalState: string | undefined): Promise<void> {
    if (isOver) return
    isOver = true
    const end = await completeStudy(participant, outcome, finalState, (problem) =>
      show({ kind: 'finishing', problem }),
    )
    if (end.kind === 'done') room?.close()
    show(end)
  }

  function finish(end: { outcome: string | null; completionCode: string | null; redirectUrl: string }): void {
    const { outcome, completionCode, redirectUrl } = end
    isOver = true
    room?.close()
    show({ kind: 'done', outcome, completionCode, redirectUrl })
  }

  return { start }
}

const needsConsent = ({ experimentConfig, participantId }: Session): boolean =>
  experimentConfig.consent?.text !== undefined && !hasConsented(participantId)
