import { ConsoleAuth, parserFor } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Bus } from '../../ports/bus.ts'
import { createAcknowledger, type OnDefect } from '../../realtime/acknowledge.ts'
import {
  openForPeople,
  type PersonHandshakeDeps,
  type PersonSocket,
} from '../../realtime/person-handshake.ts'
import { actorOf, type Identity, type IdentityCheck } from '../identity/index.ts'
import type { Media } from './media.ts'

export interface ConsoleSocketDeps {
  handshakes: PersonHandshakeDeps
  identities: IdentityCheck
  media: Media
  bus: Bus
  clock: Clock
  onDefect: OnDefect
}

const auth = parserFor(ConsoleAuth)
/** Windows of one person's browsers. Places are shared with participants, so nobody takes many. */
const maxSocketsEach = 10
/** Transcoders report progress several times a second, and of several videos at once. */
const quietMs = 1_000
/** The longest that a timer can wait. */
const longestTimerMs = 2_147_483_647

/** The namespace `/console`, on any instance: V13. */
export function serveConsoleSockets(deps: ConsoleSocketDeps): { close(): void } {
  const { handshakes, identities, media, bus, clock, onDefect } = deps
  const people = new Map<string, Set<PersonSocket<Identity>>>()
  /** When a video is told about next. */
  const waiting = new Map<string, NodeJS.Timeout>()

  async function recognise(presented: unknown): Promise<{ person: Identity; key: string }> {
    const parsed = auth.parse(presented)
    if (!parsed.ok) throw new AppError('UNAUTHENTICATED', {}, 'The handshake needs idToken.')
    const person = await identities.authenticate(`Bearer ${parsed.value.idToken}`)
    if (!person.isResearcher) throw new AppError('FORBIDDEN')
    // R49: scripts ask; only pages are told.
    if (person.key) throw new AppError('FORBIDDEN', { reason: 'people_only' })
    return { person, key: `person ${actorOf(person)}` }
  }

  function enter(socket: PersonSocket<Identity>): void {
    const { person } = socket.data
    const actor = actorOf(person)
    const sockets = people.get(actor) ?? new Set()
    people.set(actor, sockets.add(socket))
    const [oldest] = sockets
    if (sockets.size > maxSocketsEach) oldest?.disconnect(true)
    const leftMs = (person.expiresAt ?? 0) - clock.now()
    const expiry = setTimeout(() => socket.disconnect(true), Math.min(Math.max(0, leftMs), longestTimerMs))
    expiry.unref()
    socket.on('disconnect' as never, () => {
      clearTimeout(expiry)
      sockets.delete(socket)
      if (sockets.size === 0 && people.get(actor) === sockets) people.delete(actor)
    })
    // Nothing can be sent here; whatever comes is counted and refused.
    createAcknowledger(socket, onDefect)
  }

  /** Each person's record is their own: what they see of its use, and whether it is theirs. */
  async function tell(videoId: string): Promise<void> {
    for (const sockets of [...people.values()]) {
      const [first] = sockets
      if (!first) continue
      const record = await media.read(videoId, first.data.person).catch(unlessHidden)
      if (record) for (const socket of sockets) socket.emit('video:updated', record)
    }
  }

  function tellSoon(videoId: string): void {
    if (people.size === 0 || waiting.has(videoId)) return
    const timer = setTimeout(() => {
      waiting.delete(videoId)
      tell(videoId).catch(onDefect)
    }, quietMs)
    timer.unref()
    waiting.set(videoId, timer)
  }

  const namespace = openForPeople(handshakes, '/console', recognise)
  namespace.on('connection', (socket) => enter(socket as unknown as PersonSocket<Identity>))
  bus.subscribe('video_updated', ({ videoId }) => tellSoon(videoId))
  return {
    close() {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}

function unlessHidden(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'VIDEO_NOT_FOUND') return undefined
  throw error
}
