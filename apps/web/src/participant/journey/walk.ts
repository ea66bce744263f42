import {
  type ConnectionStatus,
  connectRoom,
  connectWaiting,
  type JoinOptions,
  type Participant,
  type Session,
  type Waiting,
  WaitingClosed,
} from '@atrium/client'
import { consentEvents, type RoomSnapshot, type WaitingStatus } from '@atrium/contract'
import { createRoomDesk } from '../room/room-desk.ts'
import { completeStudy } from './complete-study.ts'
import { endedBefore, replacedByOtherTab, stoppedBy, stoppedByCode, unknownRoom } from './endings.ts'
import { rememberExperiment } from './remembered.ts'
import type { ConsentAnswer, Stage } from './stage.ts'

export interface Trip {
  experimentId: string
  join: JoinOptions
}

export interface Walk {
  begin(): Promise<void>
  /** Lets go of its connections and shows the stage as its last. */
  end(last?: Stage): void
}

/** Join, consent, wait, room, completion: once. After its end it shows nothing, whatever its connections still say. */
export function createWalk(
  participant: Participant,
  findTrip: () => Promise<Trip | undefined>,
  showStage: (stage: Stage) => void,
): Walk {
  let trip: Trip = { experimentId: '', join: {} }
  let isOver = false
  let isCompleting = false
  let disconnect = (): void => undefined

  function show(stage: Stage): void {
    if (!isOver) showStage(stage)
  }

  function end(last?: Stage): void {
    if (last) show(last)
    isOver = true
    disconnect()
  }

  async function begin(): Promise<void> {
    show({ kind: 'entering' })
    try {
      const found = await findTrip()
      if (!found) return end(unknownRoom())
      trip = found
      const session = await participant.join(trip.experimentId, trip.join)
      if (isOver) return
      document.title = session.experimentConfig.name
      if (participant.needsConsent) askConsent(session)
      else await goOn()
    } catch (error) {
      end(endedBefore(error) ?? stoppedBy(error))
    }
  }

  function askConsent({ experimentConfig: { consent } }: Session): void {
    if (!consent) return
    const { given, declined } = consentEvents
    let recorded: boolean | undefined
    async function decide({ agreed, ...data }: ConsentAnswer): Promise<void> {
      // R38: the server lets nobody wait or take part before it has stored the answer. Pressed again, it is the same one.
      if (recorded !== agreed) await participant.record({ type: agreed ? given : declined, data })
      recorded = agreed
      await participant.flush()
      if (!agreed) return await complete('NO_CONSENT', undefined)
      await goOn().catch((error: unknown) => end(stoppedBy(error)))
    }
    show({ kind: 'consent', consent, decide })
  }

  async function goOn(): Promise<void> {
    if (isOver) return
    const isInRoom = !participant.session?.roomId.startsWith('waiting_')
    if (isInRoom || (await waitForRoom())) enterRoom()
  }

  /** False when the wait has ended without a room. */
  async function waitForRoom(): Promise<boolean> {
    let connection: ConnectionStatus = { kind: 'connecting' }
    let status: WaitingStatus | null = null
    const tell = () => show({ kind: 'waiting', status, connection, leave: () => waiting.leave() })
    const waiting: Waiting = connectWaiting(participant, {
      onStatus(news) {
        status = news
        tell()
      },
      onConnection(news) {
        connection = news
        if (news.kind === 'reconnecting' || news.kind === 'connected') tell()
      },
    })
    disconnect = () => waiting.close()
    tell()
    try {
      await waiting.assigned
      return !isOver
    } catch (error) {
      const ended = error instanceof WaitingClosed ? error.ended : null
      const isElsewhere = [waiting.connection.kind, participant.status.kind].includes('replaced')
      if (!ended && !isElsewhere) throw error
      end(ended ? doneWith(ended.reason, ended) : replacedByOtherTab())
      return false
    }
  }

  function enterRoom(): void {
    let notice: string | null = null
    let lastView: RoomSnapshot | undefined
    let lastState: string | undefined
    let connection: ConnectionStatus = { kind: 'connecting' }
    const room = connectRoom(participant, {
      onSnapshot: look,
      onEvent(event, view) {
        if (event.type === 'announcement') notice = event.text
        if (event.type === 'state_entered') notice = null
        // A removed participant’s session has ended with it; the code came along.
        if (event.type === 'finished' && event.completionCode !== null) end(doneWith(event.outcome, event))
        else look(view)
      },
      onStatus(status) {
        connection = status
        // The session ends with its completion, and the connection with the session.
        if (isCompleting) return
        if (status.kind === 'replaced') end(replacedByOtherTab())
        else if (status.kind === 'failed') end(stoppedByCode(status.code, status.message, {}))
        else if (lastView) look(lastView)
      },
    })
    disconnect = () => room.close()
    const desk = createRoomDesk(participant, room, () => room.view && look(room.view))
    if (participant.session) rememberExperiment(participant.session.roomId, trip.experimentId)

    function look(view: RoomSnapshot): void {
      lastView = view
      lastState = view.state?.id ?? lastState
      const outcome = view.self.outcome ?? (view.status === 'ended' ? 'ABANDONED' : undefined)
      if (outcome !== undefined) void complete(outcome, lastState)
      else show({ kind: 'room', view, connection, notice, desk })
    }
  }

  async function complete(outcome: string, finalState: string | undefined): Promise<void> {
    if (isCompleting || isOver) return
    isCompleting = true
    const tell = (problem: string | null) => show({ kind: 'finishing', problem })
    end(await completeStudy(participant, outcome, finalState, tell))
  }

  return { begin, end }
}

const doneWith = (
  outcome: string,
  { completionCode, redirectUrl = '' }: { completionCode: string | null; redirectUrl?: string },
): Stage => ({ kind: 'done', outcome, completionCode, redirectUrl })
