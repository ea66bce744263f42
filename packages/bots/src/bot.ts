import { setTimeout as delay } from 'node:timers/promises'
import { ApiRefused, createParticipant, NoAnswer, type Participant } from '@atrium/client'
import type { ParadataKind } from '@atrium/contract'
import { createApi } from '@atrium/testkit/without-vitest'
import { type BotLog, createBotLog } from './bot-log.ts'
import { type Bell, createBell } from './play/bell.ts'
import { enterRoom } from './play/enter-room.ts'
import { drawDevice } from './play/measured.ts'
import type { AnswersToPick } from './play/plan-visit.ts'
import { type Departure, drawDeparture, playRoom, type RoomEnd } from './play/play-room.ts'
import { createPlayer } from './play/player.ts'
import type { Draws } from './random.ts'

export interface BotOptions {
  baseUrl: string
  experimentId: string
  /** The bot's name for the development issuer. */
  subject: string
  draws: Draws
  /** What it says of itself when it joins, as the address of a recruiting site would. */
  metadata?: Record<string, string>
  /** Reaction times are divided by it. */
  speed?: number
  /** Component → answers that it picks from, where random ones would say nothing, such as a text with certain words. */
  answers?: AnswersToPick
  /** Chance that it leaves without notice; half of those bots come back. */
  dropOutChance?: number
  /** If nothing happens for this long, the bot gives up, which breaks an invariant. */
  patienceMs?: number
  log?: BotLog
}

const usualPatienceMs = 600_000
const againMs = 500
const userAgent = 'atrium-bot/0.1'

/** The issuer is behind the same balancer as everything else, and a connection may end there at any time. */
function asNoAnswer(cause: unknown): never {
  throw new NoAnswer('no ID token', { cause })
}

interface Begun {
  departure: Departure | null
  kinds: readonly ParadataKind[]
  bell: Bell
}

/** One simulated participant, who uses the same SDK as the pages: joins, waits, takes part, completes. */
export function createBot(options: BotOptions) {
  const { baseUrl, experimentId, subject, draws, metadata = {}, speed = 1, dropOutChance = 0 } = options
  const { answers = {}, patienceMs = usualPatienceMs, log = createBotLog(subject) } = options
  const api = createApi(baseUrl, userAgent)
  let actions = 0
  const nextActionId = (): string => `${subject}-${++actions}`

  async function play(): Promise<void> {
    const departure = drawDeparture(dropOutChance, draws('departure'), speed)
    if ((await stay(departure)) === 'over' || !departure) return
    log.note({ kind: 'away' })
    if (departure.awayMs === null) return
    await delay(departure.awayMs)
    log.note({ kind: 'back' })
    await stay(null)
  }

  /** From joining to completing or leaving. A bot that comes back is a new page, which remembers nothing. */
  async function stay(departure: Departure | null): Promise<'departed' | 'over'> {
    const participant = createParticipant({
      baseUrl,
      userAgent,
      random: draws('jitter'),
      getIdToken: () => api.token(subject).catch(asNoAnswer),
    })
    try {
      const { sessionId, participantId, experimentConfig } = await participant.join(experimentId, {
        metadata,
      })
      log.note({ kind: 'joined', sessionId, participantId })
      if (participant.needsConsent) await participant.giveConsent({ readMs: 0 })
      const { paradata: kinds = [] } = experimentConfig
      const device = drawDevice(kinds, draws('device'))
      if (Object.keys(device).length > 0) await participant.record({ type: 'device_report', data: device })
      const bell = createBell()
      return await takePart(participant, { departure, kinds, bell })
    } finally {
      await participant.close()
    }
  }

  /** In the room of one stage after the other. */
  async function takePart(
    participant: Participant,
    { departure, kinds, bell }: Begun,
  ): Promise<'departed' | 'over'> {
    for (let stage = 0; ; stage++) {
      const leavesWait = stage === 0 && departure?.inVisit === 0
      const entry = await enterRoom({ participant, bell, log, patienceMs, leavesWait })
      if (entry.kind === 'departed') return 'departed'
      if (entry.kind === 'wait_ended') {
        await lookBack(participant)
        return 'over'
      }
      const { room } = entry
      const player = createPlayer({ baseUrl, userAgent, bell, session: () => credentialsOf(participant) })
      const { uploadFile } = participant
      const known = { draws, speed, kinds, answers, patienceMs }
      const table = { room, player, uploadFile, bell, log, ...known, nextActionId }
      const end = await playRoom(table, departure).finally(() => {
        player.close()
        room.close()
      })
      if (end.kind === 'departed') return 'departed'
      if (end.kind === 'finished') {
        await complete(participant, end)
        return 'over'
      }
      log.note({ kind: 'went_on' })
      // Unless it has heard so itself.
      if (participant.session?.roomId === room.view?.roomId)
        await participant.join(experimentId, { metadata })
    }
  }

  async function complete(participant: Participant, end: RoomEnd & { kind: 'finished' }): Promise<void> {
    const { finalState } = end
    log.note({ kind: 'finished', outcome: end.outcome })
    const { outcome, completionCode } = await participant.complete({
      completionCode: end.outcome,
      ...(finalState === undefined ? {} : { finalState }),
    })
    log.note({ kind: 'completed', outcome, completionCode })
    await lookBack(participant)
  }

  /** What the platform reports about this participation when it is over. */
  async function lookBack(participant: Participant): Promise<void> {
    const history = await onceAvailable(() => participant.history())
    const own = history.filter((session) => session.experimentId === experimentId)
    const completionCodes = own.flatMap((session) => session.completionCode ?? [])
    log.note({ kind: 'history', completionCodes })
  }

  /** Reading may be repeated, and the page offers it: an instance that stops refuses what it has not begun. */
  async function onceAvailable<Value>(read: () => Promise<Value>): Promise<Value> {
    const givenUpAt = performance.now() + patienceMs
    while (true) {
      try {
        return await read()
      } catch (error) {
        const isPassing =
          error instanceof NoAnswer || (error instanceof ApiRefused && error.code === 'UNAVAILABLE')
        if (!isPassing || performance.now() > givenUpAt) throw error
        await delay(againMs)
      }
    }
  }

  const credentialsOf = ({ session }: Participant) =>
    session ? { sessionId: session.sessionId, sessionToken: session.token } : undefined

  return {
    log,
    /** Resolves when the bot has finished, whatever the result; the log has it. */
    async play(): Promise<BotLog> {
      await play().catch((error: unknown) => {
        log.note({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
      })
      return log
    },
  }
}
