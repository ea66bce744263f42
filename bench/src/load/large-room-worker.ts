// The worker process that holds the sockets of one room, started by `large-room-load.ts`.
import { setTimeout as delay } from 'node:timers/promises'
import { serveOrders } from '../harness/worker.ts'
import type { LargeRoomOrder, LargeRoomOutcome } from './large-room-load.ts'
import { openRoomConnection, type RoomConnection } from './room-connection.ts'

const openedConcurrently = 16
const tickMs = 5
const quietMs = 300
const maxWaitMs = 60_000
const filler = 'would you give up two points now if everyone else does the same in the next round'
/** When it was sent, as `say` wrote into the text. */
const stamp = /"text":"([\d.]+) /

const connections: RoomConnection[] = []
const sentAt: number[] = []
let answersSent = 0
let messages = 0
let pages = 0
let refused: string | undefined
let broken: Error | undefined
let heard = nothingHeard()

function nothingHeard() {
  return { packets: 0, bytes: 0, acknowledged: [] as number[], delivered: [] as number[] }
}

const listener = {
  received(bytes: number): void {
    heard.packets++
    heard.bytes += bytes
  },
  message(packet: string): void {
    messages++
    const at = stamp.exec(packet)?.[1]
    if (at !== undefined) heard.delivered.push(performance.now() - Number(at))
  },
  acknowledged(id: number, isOk: boolean, packet: string): void {
    if (!isOk) refused ??= packet
    heard.acknowledged.push(performance.now() - (sentAt[id] ?? Number.NaN))
  },
  entered(): void {
    pages++
  },
}

async function open({ sockets }: Extract<LargeRoomOrder, { kind: 'open' }>): Promise<void> {
  const waiting = [...sockets]
  const openNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const connection = await openRoomConnection(next, listener)
      connection.broken.catch((error: Error) => {
        broken ??= error
      })
      connections.push(connection)
    }
  }
  await Promise.all(Array.from({ length: openedConcurrently }, openNext))
  // What they are told of those who came after them belongs to the cost of coming in.
  for (let before = -1; before !== heard.packets; await delay(quietMs)) before = heard.packets
}

const nextId = (): number => sentAt.push(performance.now()) - 1

function say(turn: number): void {
  const id = nextId()
  connections[turn % connections.length]?.chat(id, `${(sentAt[id] ?? 0).toFixed(3)} ${filler}`)
}

const answer = (): void =>
  connections[answersSent++ % connections.length]?.answer(nextId(), answersSent % 100)

async function play({ perSecond, ms }: Extract<LargeRoomOrder, { kind: 'play' }>): Promise<number> {
  const startedAt = performance.now()
  let sent = 0
  let said = 0
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - startedAt) {
    for (; sent <= (elapsed / 1000) * perSecond; sent++) {
      if (sent % 2 === 0) answer()
      else say(said++)
    }
    await delay(tickMs)
  }
  const expected = messages + said * connections.length
  await until(
    () => heard.acknowledged.length >= sent && heard.delivered.length >= said * connections.length,
    () => `${heard.acknowledged.length} of ${sent} were acknowledged, ${messages} of ${expected} delivered`,
  )
  return sent
}

/** Those who have not answered yet, so that everybody has. */
async function round(): Promise<number> {
  const [from, before] = [answersSent, pages]
  do answer()
  while (answersSent % connections.length !== 0)
  await until(
    () => pages >= before + connections.length,
    () => `${pages - before} of ${connections.length} have the next page`,
  )
  return answersSent - from
}

async function until(isDone: () => boolean, whyNot: () => string): Promise<void> {
  const deadline = performance.now() + maxWaitMs
  while (!isDone() && performance.now() < deadline && refused === undefined && broken === undefined)
    await delay(tickMs)
  if (broken) throw broken
  if (refused !== undefined) throw new Error(`an action was refused: ${refused}`)
  if (!isDone()) throw new Error(whyNot())
}

async function carryOut(order: LargeRoomOrder): Promise<number> {
  switch (order.kind) {
    case 'open':
      await open(order)
      return 0
    case 'play':
      return await play(order)
    case 'round':
      return await round()
    case 'await':
      await until(
        () => messages >= order.messages,
        () => `${messages} of ${order.messages} messages were received`,
      )
      return 0
  }
}

serveOrders(async (order: LargeRoomOrder): Promise<LargeRoomOutcome> => {
  heard = nothingHeard()
  const startedAt = performance.now()
  const actions = await carryOut(order)
  return {
    actions,
    deliveries: heard.delivered.length,
    packets: heard.packets,
    bytes: heard.bytes,
    ms: performance.now() - startedAt,
    acknowledgedMs: new Float64Array(heard.acknowledged).sort(),
    deliveredMs: new Float64Array(heard.delivered).sort(),
  }
})
