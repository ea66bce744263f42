// The worker process that holds participants' sockets, started by `room-load.ts`.
import { setTimeout as delay } from 'node:timers/promises'
import { serveOrders } from '../harness/worker.ts'
import { openRoomConnection, type RoomConnection, type SocketToOpen } from './room-connection.ts'
import { type ChatOutcome, peoplePerRoom, type RoomLoadOrder } from './room-load.ts'

const openedConcurrently = 16
const tickMs = 5
const maxWaitMs = 15_000
const filler = 'would you give up two points now if everyone else does the same in the next round'
/** The sender and the time, which `sendNext` wrote into the text. */
const stamp = /"text":"(\d+) ([\d.]+) /

const connections: RoomConnection[] = []
const sentAt: number[] = []
let broken: Error | undefined
let messages = 0
let acknowledged: number[] = []
let broadcasts: number[] = []
let refusals: Record<string, number> = {}
let onAcknowledged = (): void => undefined

async function open(sockets: SocketToOpen[]): Promise<void> {
  const waiting = [...sockets.entries()]
  const openNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, socket] = next
      const connection = await openRoomConnection(socket, listenerOf(index))
      connection.broken.catch((error: Error) => {
        broken ??= error
      })
      connections[index] = connection
    }
  }
  await Promise.all(Array.from({ length: openedConcurrently }, openNext))
}

const listenerOf = (index: number) => ({
  message(packet: string): void {
    messages++
    const [, from, at] = stamp.exec(packet) ?? []
    if (at !== undefined && Number(from) !== index) broadcasts.push(performance.now() - Number(at))
  },
  acknowledged(id: number, isOk: boolean, packet: string): void {
    if (isOk) acknowledged.push(performance.now() - (sentAt[id] ?? Number.NaN))
    else {
      const code = /"code":"(\w+)"/.exec(packet)?.[1] ?? packet
      refusals[code] = (refusals[code] ?? 0) + 1
    }
    onAcknowledged()
  },
})

async function chat(perSecond: number, forMs: number): Promise<ChatOutcome> {
  return await measure(async (startedAt) => {
    let sent = 0
    for (let elapsed = 0; elapsed < forMs; elapsed = performance.now() - startedAt) {
      for (; sent <= (elapsed / 1000) * perSecond; sent++) sendNext(sent)
      await delay(tickMs)
    }
    return sent
  })
}

async function rush(underWay: number, forMs: number): Promise<ChatOutcome> {
  return await measure(async (startedAt) => {
    let sent = 0
    onAcknowledged = () => {
      if (performance.now() - startedAt < forMs) sendNext(sent++)
    }
    while (sent < underWay) sendNext(sent++)
    await delay(forMs)
    onAcknowledged = () => undefined
    return sent
  })
}

/** `send` resolves with how many were sent. */
async function measure(send: (startedAt: number) => Promise<number>): Promise<ChatOutcome> {
  acknowledged = []
  broadcasts = []
  refusals = {}
  const startedAt = performance.now()
  const sent = await send(startedAt)
  const ms = performance.now() - startedAt
  const toOthers = sent * (peoplePerRoom - 1)
  await until(() => acknowledged.length >= sent && broadcasts.length >= toOthers)
  return {
    sent,
    ms,
    acknowledgedMs: new Float64Array(acknowledged),
    broadcastMs: new Float64Array(broadcasts),
    errors: {
      ...refusals,
      ...countOf('not acknowledged', sent - acknowledged.length),
      ...countOf('not broadcast', toOthers - broadcasts.length),
    },
  }
}

/** One participant of every room in turn, then the next one of every room, so that consecutive messages hit different rooms. */
function sendNext(turn: number): void {
  const rooms = connections.length / peoplePerRoom
  const index = (turn % rooms) * peoplePerRoom + (Math.floor(turn / rooms) % peoplePerRoom)
  const id = sentAt.length
  const now = performance.now()
  sentAt.push(now)
  connections[index]?.chat(id, `${index} ${now.toFixed(3)} ${filler}`)
}

const countOf = (kind: string, count: number) => (count === 0 ? {} : { [kind]: count })

/** Gives up after a while; whatever is missing then counts as an error of the round. */
async function until(isDone: () => boolean): Promise<void> {
  const deadline = performance.now() + maxWaitMs
  while (!isDone() && broken === undefined && performance.now() < deadline) await delay(tickMs)
  if (broken) throw broken
}

async function carryOut(order: RoomLoadOrder): Promise<ChatOutcome | null> {
  switch (order.kind) {
    case 'open':
      await open(order.sockets)
      return null
    case 'chat':
      return await chat(order.perSecond, order.ms)
    case 'rush':
      return await rush(order.underWay, order.ms)
    case 'await':
      await until(() => messages >= order.messages)
      if (messages !== order.messages)
        throw new Error(`${messages} of ${order.messages} messages were received`)
      return null
  }
}

serveOrders(carryOut)
