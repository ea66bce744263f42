import {
  type ConnectionStatus,
  type JoinOptions,
  type Participant,
  type Session,
  type Waiting,
  WaitingClosed,
} from '@atrium/client'
import { consentEvents, type RoomSnapshot, siteOf, type WaitingStatus } from '@atrium/contract'
import { speak } from '../../text/participant.ts'
import type { StudyBranding } from '../frame/study-branding.ts'
import type { Paradata } from '../paradata/start-paradata.ts'
import { completeStudy } from './complete-study.ts'
import {
  endedBefore,
  replacedByOtherTab,
  stoppedBy,
  stoppedByCode,
  unknownRoom,
  withWithdrawal,
} from './endings.ts'
import { loadRoomBundle, roomBundle } from './load-room-bundle.ts'
import {
  forgetStopped,
  hasStopped,
  rememberBranding,
  rememberExperiment,
  rememberLanguage,
  rememberStopped,
  spokenIn,
} from './remembered.ts'
import type { ConsentAnswer, Stage } from './stage.ts'

export interface JoinTarget {
  experimentId: string
  join: JoinOptions
}

export interface StudyFlow {
  begin(): Promise<void>
  /** Closes the connections, with `last` as the final stage. */
  end(last?: Stage): void
}

/** Join, consent, waiting, room, completion: once. After its end it shows nothing more. */
export function createStudyFlow(
  participant: Participant,
  findTarget: () => Promise<JoinTarget | undefined>,
  loadParadata: () => Promise<Paradata | undefined>,
  showStage: (stage: Stage) => void,
  showBranding: (branding: StudyBranding) => void,
): StudyFlow {
  let target: JoinTarget = { experimentId: '', join: {} }
  let isOver = false
  let isCompleting = false
  let isRemoved = false
  /** How it ends if the completion is refused, or takes its time. */
  let given: Stage | undefined
  let disconnect = (): void => undefined
  let paradata: Paradata | undefined

  const withdraw = () => participant.withdraw()

  function show(stage: Stage): void {
    if (!isOver) showStage(stage)
  }

  function end(last?: Stage): void {
    if (last)
      show(last.kind === 'done' ? { ...last, isRemoved, site: siteOf(target.join.metadata ?? {}) } : last)
    isOver = true
    disconnect()
  }

  async function begin(): Promise<void> {
    show({ kind: 'entering' })
    try {
      const found = await findTarget()
      if (!found) return end(unknownRoom())
      target = found
      await speakAsBefore(target.experimentId)
      if (hasStopped(target.experimentId)) return end(stoppedWaiting())
      const session = await participant.join(target.experimentId, target.join)
      if (isOver) return
      const { name, appearance, language } = session.experimentConfig
      if (language !== undefined) {
        await speak(language)
        rememberLanguage(target.experimentId, language)
      }
      if (isOver) return
      document.title = name
      rememberBranding(target.experimentId, { name, appearance })
      showBranding({ name, appearance })
      if (participant.needsConsent) askConsent(session)
      else await proceed()
    } catch (error) {
      end(endedBefore(error, withdraw) ?? stoppedBy(error))
    }
  }

  function askConsent({ experimentConfig: { consent, paradata: kinds = [] } }: Session): void {
    if (!consent) return
    const { given, declined } = consentEvents
    let recorded: boolean | undefined
    async function decide({ agreed, ...data }: ConsentAnswer): Promise<void> {
      // R38: nobody waits or takes part before the server has stored the answer. A second press does not record it again.
      if (recorded !== agreed) await participant.record({ type: agreed ? given : declined, data })
      recorded = agreed
      await participant.flush()
      if (!agreed) return await complete('NO_CONSENT', undefined)
      await proceed().catch((error: unknown) => end(stoppedBy(error)))
    }
    show({ kind: 'consent', consent, paradata: kinds, decide })
  }

  async function proceed(): Promise<void> {
    if (isOver) return
    const [{ loadViews }, loaded] = await Promise.all([loadRoomBundle(), loadParadata()])
    paradata = loaded
    if (isOver) return
    // While people wait for the others, or the room.
    loadViews(typesIn(participant.session?.experimentConfig ?? { states: [], globalComponents: [] }))
    if (isInRoom() || (await waitForRoom())) enterRoom()
  }

  const isInRoom = () => !participant.session?.roomId.startsWith('waiting_')

  /** R68: the room of the next stage. */
  async function goOn(): Promise<void> {
    disconnect()
    show({ kind: 'entering' })
    if (await waitForRoom(true)) enterRoom()
  }

  /** They may have gone on to another room while they were not connected: joining says which one they have now. */
  async function findRoom(former: string | undefined): Promise<void> {
    disconnect()
    const { roomId } = await participant.join(target.experimentId, target.join)
    if (roomId === former) throw new Error('the room that the session has refuses it')
    if (isInRoom() || (await waitForRoom(true))) enterRoom()
  }

  /** Returns false if the wait ended without a room. */
  async function waitForRoom(isLater = false): Promise<boolean> {
    let connection: ConnectionStatus = { kind: 'connecting' }
    let status: WaitingStatus | null = null
    const showWaiting = () => {
      const isTroubled = connection.kind === 'reconnecting' || status?.held === 'capacity'
      // A room of one's own is there at once. Between two stages nobody knows before the first status whether it is one.
      const isBrief = status ? status.groupSize === 1 : isLater
      if (isTroubled || !isBrief) show({ kind: 'waiting', status, connection, leave: () => waiting.leave() })
    }
    const waiting: Waiting = roomBundle().connectWaiting(participant, {
      onStatus(news) {
        status = news
        showWaiting()
      },
      onConnection(news) {
        connection = news
        if (news.kind === 'reconnecting' || news.kind === 'connected') showWaiting()
      },
    })
    disconnect = () => waiting.close()
    showWaiting()
    try {
      await waiting.assigned
      return !isOver
    } catch (error) {
      const ended = error instanceof WaitingClosed ? error.ended : null
      const isElsewhere = [waiting.connection.kind, participant.status.kind].includes('replaced')
      if (!ended && !isElsewhere) throw error
      if (!ended) end(replacedByOtherTab())
      else if (ended.reason === 'left' && ended.completionCode === null) {
        rememberStopped(target.experimentId)
        end(stoppedWaiting())
      } else end(doneWith(ended.reason, ended))
      return false
    }
  }

  /** They can come back, but only if they want to. */
  const stoppedWaiting = (): Stage => ({
    ...{ kind: 'done', outcome: 'left', completionCode: null, redirectUrl: '' },
    again: () => forgetStopped(target.experimentId),
  })

  function enterRoom(): void {
    let notice: string | null = null
    let newcomers: string[] = []
    let lastView: RoomSnapshot | undefined
    let lastState: string | undefined
    let connection: ConnectionStatus = { kind: 'connecting' }
    /** Answers may still arrive from the room that they have left behind. */
    let hasLeft = false
    const { connectRoom, createRoomActions, createRoomFiles, createRoomMedia, ...bundle } = roomBundle()
    const { forgetTyped, loadConditions, loadViews } = bundle
    const room = connectRoom(participant, {
      onSnapshot: showRoom,
      onEvent(event, view) {
        if (event.type === 'announcement') notice = event.text
        if (event.type === 'seated') newcomers = [...newcomers, event.other.alias]
        if (event.type === 'state_entered') {
          notice = null
          newcomers = []
        }
        // The session of a removed participant ends. They join once more for the way back to the recruiting site; if
        // that is refused, they have the code at least.
        if (event.type === 'finished' && event.completionCode !== null) {
          given = doneWith(event.outcome, event)
          isRemoved = true
        }
        showRoom(view)
      },
      onStatus(status) {
        connection = status
        // Completion ends the session, and with it the connection.
        if (isCompleting || hasLeft) return
        if (status.kind === 'replaced') end(replacedByOtherTab())
        else if (status.kind === 'failed' && status.code === 'SESSION_MISMATCH' && lastView)
          leaveFor(() => findRoom(lastView?.roomId))
        else if (status.kind === 'failed') end(stoppedByCode(status.code, status.message, {}))
        else if (lastView) showRoom(lastView)
      },
    })
    const media = createRoomMedia(participant)
    const files = createRoomFiles(participant)
    disconnect = () => {
      media.close()
      files.close()
      room.close()
    }
    const onAnswered = () => room.view && showRoom(room.view)
    const actions = createRoomActions(participant, room, media.media, files.current, onAnswered, paradata)
    if (participant.session) rememberExperiment(participant.session.roomId, target.experimentId)

    function leaveFor(next: () => Promise<void>): void {
      hasLeft = true
      next().catch((error: unknown) => end(stoppedBy(error)))
    }

    function showRoom(view: RoomSnapshot): void {
      if (hasLeft) return
      lastView = view
      isRemoved ||= view.self.status === 'removed'
      lastState = view.state?.id ?? lastState
      if (view.self.nextStage !== undefined) {
        forgetTyped(view.self.participantId)
        leaveFor(goOn)
        return
      }
      const outcome = view.self.outcome ?? (view.status === 'ended' ? 'ABANDONED' : undefined)
      if (outcome !== undefined) {
        paradata?.stop()
        forgetTyped(view.self.participantId)
        void complete(outcome, lastState)
      } else {
        const loading = [
          media.update(view),
          files.update(view),
          loadViews(typesIn({ states: [view.state], globalComponents: view.globalComponents })),
          // Where it fails, the page tries again.
          loadConditions(view.state?.components ?? [])?.catch(() => undefined),
        ].filter((each) => each !== undefined)
        if (loading.length > 0) void Promise.all(loading).then(() => lastView && showPage(lastView))
        else showPage(view)
      }
    }

    function showPage(view: RoomSnapshot): void {
      if (!isCompleting && !hasLeft) show({ kind: 'room', view, connection, notice, newcomers, actions })
    }
  }

  async function complete(outcome: string, finalState: string | undefined): Promise<void> {
    if (isCompleting || isOver) return
    isCompleting = true
    // It is tried again meanwhile.
    const onProblem = (problem: string | null) =>
      problem !== null && given ? end(given) : show({ kind: 'finishing', problem })
    const last = await completeStudy(participant, outcome, finalState, onProblem)
    // Of somebody who has just declined there is nothing to delete.
    const deletes = participant.needsConsent ? undefined : participant.session?.experimentConfig.withdrawal
    end(last.kind === 'done' ? withWithdrawal(last, deletes, withdraw) : (given ?? last))
  }

  return { begin, end }
}

type Shown = readonly { type: string }[]

const typesIn = (study: {
  states: readonly ({ components?: Shown } | null)[]
  globalComponents: Shown
}): string[] =>
  [...study.states.flatMap((state) => state?.components ?? []), ...study.globalComponents].map(
    ({ type }) => type,
  )

/** Whoever comes back, perhaps after the end, reads what they read before. */
async function speakAsBefore(experimentId: string): Promise<void> {
  const language = spokenIn(experimentId)
  if (language !== null) await speak(language)
}

const doneWith = (
  outcome: string,
  { completionCode, redirectUrl = '' }: { completionCode: string | null; redirectUrl?: string },
): Stage => ({ kind: 'done', outcome, completionCode, redirectUrl })
