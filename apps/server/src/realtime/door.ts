import type { IncomingMessage } from 'node:http'
import { limits } from '@atrium/contract'
import type { Server } from 'socket.io'
import { AppError } from '../kernel/app-error.ts'
import { isExpectedPacket } from './packet-form.ts'
import type { Shares } from './shares.ts'
import { bytesReadBy, type EngineSocket, onceWebSocketClosed, terminate } from './socket-io-internals.ts'
import { createStrangers } from './strangers.ts'

export interface DoorDeps {
  engine: Server['engine']
  shares: Shares
  addressOf(request: IncomingMessage): string
  isForeign(request: IncomingMessage): boolean
  /** Called with the number of connections with a session whenever it changes. */
  onCounted(connections: number): void
}

/** A connection, from the upgrade until it and its websocket are closed. */
interface Guest {
  readonly engine: EngineSocket
  readonly address: string
  readonly isForeign: boolean
  /** Namespaces whose handshake is under way. */
  readonly checking: Set<string>
  /** The namespaces that they are in, and as which participant. */
  readonly inside: Map<string, string>
  isBeingChecked(): boolean
  refusals: number
  bytesRead: number
  bytesAsStranger: number
  checks: number
  isClosed: boolean
  cutBecause: string | undefined
}

const checkEveryMs = 1_000
/**
 * Upgrade to handshake is one round trip. Counted in checks, not milliseconds: while we were busy, it may have arrived
 * unread.
 */
const checksUntilHandshake = 5
/** How long the other side may take to confirm a close. */
const checksUntilGone = 2
const maxBytesOfStranger = 32_768
/** Our clients close after one refusal; nobody needs this many on one connection. */
const maxRefusals = 5
/** Even an empty packet costs something. */
const bytesPerPacket = 128

export interface Door {
  addressOf(connection: EngineSocket): string
  /** A handshake begins. */
  knock(connection: EngineSocket, namespace: string): void
  refuse(connection: EngineSocket, namespace: string): void
  /** The handshake succeeded. A socket that replaces another one of the same participant takes its place. */
  admit(connection: EngineSocket, namespace: string, who: string, isReplacing: boolean): void
  leave(connection: EngineSocket, namespace: string): void
  stop(): void
  /** Why we cut the connection, if we did. */
  cutBecause(connection: EngineSocket): string | undefined
}

function newGuest(engine: EngineSocket, address: string, isForeign: boolean): Guest {
  const checking = new Set<string>()
  return {
    ...{ engine, address, isForeign, checking, inside: new Map() },
    isBeingChecked: () => checking.size > 0,
    refusals: 0,
    bytesRead: bytesReadBy(engine),
    bytesAsStranger: 0,
    checks: 0,
    isClosed: false,
    cutBecause: undefined,
  }
}

/** Counts what has been read since the last time, for everybody on the connection, or for a stranger. */
function isWithinBytes(guest: Guest, packets: number, shares: Shares): boolean {
  const bytesRead = bytesReadBy(guest.engine)
  const bytes = bytesRead - guest.bytesRead + packets * bytesPerPacket
  guest.bytesRead = bytesRead
  guest.bytesAsStranger += guest.inside.size === 0 ? bytes : 0
  const now = performance.now()
  let isWithin = guest.bytesAsStranger <= maxBytesOfStranger
  for (const who of peopleOn(guest)) isWithin = shares.of(who).bytes.spend(now, bytes) && isWithin
  return isWithin
}

/** Once each, also with several namespaces. Nearly always one: a set for every packet would cost more than the rest. */
const peopleOn = ({ inside }: Guest): Iterable<string> =>
  inside.size > 1 ? new Set(inside.values()) : inside.values()

/**
 * All connections, with or without a session. Strangers have limits of their own, so that however many come, people
 * who present a session find a place.
 */
// One function, because whatever happens to a connection moves it between the same sets.
export function createDoor({ engine, shares, addressOf, isForeign, onCounted }: DoorDeps): Door {
  const guests = new Map<EngineSocket, Guest>()
  const strangers = createStrangers<Guest>()
  const insiders = new Set<Guest>()

  const guestOf = (connection: EngineSocket): Guest => {
    const guest = guests.get(connection)
    if (!guest || guest.isClosed) throw new AppError('UNAVAILABLE', {}, 'The connection is closed.')
    return guest
  }

  function becomeStranger(guest: Guest): void {
    guest.checks = 0
    strangers.add(guest)
    if (insiders.delete(guest)) onCounted(insiders.size)
  }

  /** At once; nothing that has arrived is read any more. */
  function cut(guest: Guest, because: string): void {
    guest.cutBecause ??= because
    guest.engine.close(true)
    terminate(guest.engine)
    strangers.delete(guest)
  }

  /** After everything is sent, such as a refusal. */
  function closeIfIdle(guest: Guest): void {
    setImmediate(() => {
      if (guest.inside.size === 0 && guest.checking.size === 0) guest.engine.close()
    })
  }

  function meter(guest: Guest, packets: number): void {
    if (!isWithinBytes(guest, packets, shares)) cut(guest, 'too many bytes')
  }

  function receive(guest: Guest, { type, data }: { type: string; data?: unknown }): void {
    if (type === 'message' && !isExpectedPacket(data)) cut(guest, 'unexpected packet')
    else meter(guest, 1)
  }

  function open(connection: EngineSocket): void {
    const guest = newGuest(connection, addressOf(connection.request), isForeign(connection.request))
    let hasWebSocket = true
    const forgetIfGone = () => {
      if (hasWebSocket || !guest.isClosed) return
      guests.delete(connection)
      strangers.delete(guest)
    }
    guests.set(connection, guest)
    becomeStranger(guest)
    connection.on('packet', (packet: { type: string; data?: unknown }) => receive(guest, packet))
    connection.on('close', () => {
      guest.isClosed = true
      guest.checking.clear()
      guest.inside.clear()
      becomeStranger(guest)
      forgetIfGone()
    })
    onceWebSocketClosed(connection, () => {
      hasWebSocket = false
      forgetIfGone()
    })
    while (strangers.count() > limits.socketsWithoutSession) {
      const expendable = strangers.mostExpendable()
      if (!expendable) break
      cut(expendable, 'too many without a session')
    }
  }

  function checkStrangers(): void {
    for (const guest of guests.values()) if (!guest.isClosed) meter(guest, 0)
    for (const guest of strangers.all()) {
      guest.checks++
      const isOver = guest.checks > (guest.isClosed ? checksUntilGone : checksUntilHandshake)
      if (isOver && !guest.isBeingChecked()) cut(guest, 'no session')
    }
  }

  engine.on('connection', open)
  const timer = setInterval(checkStrangers, checkEveryMs)
  timer.unref()

  return {
    addressOf: (connection) => guestOf(connection).address,
    knock(connection, namespace) {
      const guest = guestOf(connection)
      // While the first handshake is being checked, Socket.IO would let one connection into a namespace a thousand
      // times.
      if (guest.checking.has(namespace)) {
        cut(guest, 'repeated handshake')
        throw new AppError('RATE_LIMITED')
      }
      guest.checking.add(namespace)
      if (guest.isForeign)
        throw new AppError('FORBIDDEN', {}, 'A page of another site may not connect to this one.')
    },
    refuse(connection, namespace) {
      const guest = guests.get(connection)
      if (!guest) return
      guest.checking.delete(namespace)
      if (++guest.refusals >= maxRefusals) cut(guest, 'too many refusals')
      else closeIfIdle(guest)
    },
    admit(connection, namespace, who, isReplacing) {
      const guest = guestOf(connection)
      if (!insiders.has(guest) && insiders.size >= limits.socketsPerInstance && !isReplacing)
        throw new AppError('UNAVAILABLE', {}, 'This instance has as many connections as it can hold.')
      guest.checking.delete(namespace)
      guest.inside.set(namespace, who)
      strangers.delete(guest)
      insiders.add(guest)
      onCounted(insiders.size)
    },
    leave(connection, namespace) {
      const guest = guests.get(connection)
      if (!guest?.inside.delete(namespace) || guest.inside.size > 0) return
      becomeStranger(guest)
      closeIfIdle(guest)
    },
    stop: () => clearInterval(timer),
    cutBecause: (connection) => guests.get(connection)?.cutBecause,
  }
}
