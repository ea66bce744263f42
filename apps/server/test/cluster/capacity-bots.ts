import { type ExperimentDefinition, participantRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  HandshakeRefused,
  openRoomSocket,
  openWaitingSocket,
  pace,
  type RoomSocket,
  type SocketSession,
  type World,
  waitUntil,
} from '@atrium/testkit'
import type { InTurn } from '../../src/kernel/turns.ts'

export const groupSize = 2

/** Short, and ended by deadlines alone, so that rooms that everybody has left come to an end. */
const shortGame = (more: Partial<ExperimentDefinition>): ExperimentDefinition => ({
  name: 'In and out',
  states: [
    { id: 'play', components: [], end: { on: 'button', afterMs: 5_000 } },
    { id: 'pause', components: [], end: { on: 'timed', afterMs: 700 } },
    { id: 'again', components: [], end: { on: 'button', afterMs: 3_000 } },
  ],
  dropout: { policy: 'wait', graceMs: 300 },
  ...more,
})
export const pairs = shortGame({ name: 'Pairs', matching: { groupSize } })
export const alone = shortGame({ name: 'Alone' })

/** When a bot that does not stay to the end vanishes. */
const vanishings = ['joined', 'waiting', 'assigned', 'connected', 'played', 'completed', 'came_back'] as const
type Vanishing = (typeof vanishings)[number]

export interface Plan {
  isAlone: boolean
  arrivesAfterMs: number
  vanishes: Vanishing | null
  awayMs: number
}

/** Half of the bots vanish, each at a random point. */
export const drawPlan = (random: () => number): Plan => ({
  isAlone: random() < 0.3,
  arrivesAfterMs: random() * 4_000,
  vanishes: random() < 0.5 ? (vanishings[Math.floor(random() * vanishings.length)] ?? null) : null,
  awayMs: 500 + random() * 2_500,
})

/** While it is shut, no bot acts: anything that still changes is the server's doing. */
export function createGate() {
  let opened = Promise.resolve()
  let open = (): void => undefined
  return {
    passed: async (): Promise<void> => await opened,
    shut(): void {
      opened = new Promise((resolve) => {
        open = resolve
      })
    },
    open: (): void => open(),
  }
}

export interface Bot {
  /** Connected and waiting to be matched. */
  isWaiting: boolean
  isFinished: boolean
  /** The room that the bot is connected to and has not finished. */
  roomId(): string | null
  /** Plays to the end or vanishes. */
  run(): Promise<void>
}

interface BotDeps {
  world: World
  /** Limits concurrency, because this is not a test of everyone joining at once. */
  inTurn: InTurn
  gate: ReturnType<typeof createGate>
  experiments: { pairs: string; alone: string }
}

const maxAttempts = 10
/** There are few places, and the gate may be shut for a long time. */
const patient = { timeoutMs: 1_500_000 }

export function createBot({ world, inTurn, gate, experiments }: BotDeps, plan: Plan): Bot {
  const api = createApi(() => world.any().http)
  let room: RoomSocket | undefined
  let roomId = ''
  const isDone = (): boolean =>
    room?.events.some(({ type }) => type === 'finished' || type === 'room_ended') ?? true

  const bot: Bot = {
    isWaiting: false,
    isFinished: false,
    roomId: () => (room?.isConnected() && !isDone() ? roomId : null),
    async run() {
      await takePart()
      bot.isFinished = true
    },
  }
  return bot

  async function takePart(): Promise<void> {
    await pace(plan.arrivesAfterMs)
    await gate.passed()
    const session = await retryWhileUnavailable(async () => {
      const person = await createPerson(api)
      return await person.join(plan.isAlone ? experiments.alone : experiments.pairs)
    })
    if (plan.vanishes === 'joined') return
    roomId = plan.isAlone ? session.roomId : await waitForRoom(session)
    if (roomId === '' || plan.vanishes === 'assigned') return
    await play({ ...session, roomId })
  }

  /** Retries, because a server on a busy machine may be unavailable for a moment. */
  async function retryWhileUnavailable<Done>(act: () => Promise<Done>): Promise<Done> {
    for (let attempt = 1; ; attempt++)
      try {
        return await inTurn(act)
      } catch (error) {
        if (attempt === maxAttempts) throw error
        await pace(1_000)
      }
  }

  /** Like the SDK, connects again after a temporary refusal. */
  async function waitForRoom(session: SocketSession): Promise<string> {
    for (;;) {
      await gate.passed()
      const socket = openWaitingSocket(world.any().http, session)
      bot.isWaiting = true
      const { room_assigned: rooms, waiting_status: statuses, waiting_ended: endings } = socket.received
      const isOver = () => rooms.length + endings.length > 0 || socket.lost() !== undefined
      if (plan.vanishes === 'waiting')
        await waitUntil(() => statuses.length > 0 || isOver() || 'untold', patient)
      else await waitUntil(() => isOver() || 'it still waits', patient)
      bot.isWaiting = false
      socket.close()
      if (plan.vanishes === 'waiting' || endings.length > 0) return ''
      if (rooms[0]) return rooms[0].roomId
    }
  }

  async function play(session: SocketSession): Promise<void> {
    await enter(session)
    if (plan.vanishes === 'completed') return await complete(session, 'TECHNICAL')
    if (plan.vanishes === 'connected') return leave()
    await press()
    if (plan.vanishes === 'played') return leave()
    if (plan.vanishes === 'came_back') {
      leave()
      await pace(plan.awayMs)
      await enter(session)
    }
    while (!isDone()) await press()
    await complete(session, 'SUCCESS')
  }

  async function enter(session: SocketSession): Promise<void> {
    for (;;) {
      await gate.passed()
      try {
        room = await openRoomSocket(world.front().http, session)
        // A bot that comes too late finds that the room has ended.
        const { status, self } = room.snapshot()
        if (status === 'ended' || self.status === 'finished') leave()
        return
      } catch (error) {
        if (!(error instanceof HandshakeRefused)) throw error
        await pace(200)
      }
    }
  }

  async function press(): Promise<void> {
    await gate.passed()
    if (!isDone() && room?.isConnected()) await room.act('ready').catch(() => undefined)
    await pace(150)
  }

  function leave(): void {
    room?.close()
    room = undefined
  }

  async function complete(session: SocketSession, completionCode: string): Promise<void> {
    await gate.passed()
    await retryWhileUnavailable(async () => {
      const { status } = await api.call(participantRoutes.completeV4, { session, body: { completionCode } })
      if (status >= 500) throw new Error(`completing was answered with ${status}`)
    })
    leave()
  }
}
