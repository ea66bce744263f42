// The worker process of the bots, started by `bot-load.ts`.
import { setTimeout as delay } from 'node:timers/promises'
import { type BotLog, createBot, createDraws } from '@atrium/bots'
import { waitUntil } from '@atrium/testkit'
import { serveOrders } from '../harness/worker.ts'
import type { BotsOrder, Crowd, Played } from './bot-load.ts'

type News = Parameters<BotLog['note']>[0]

/** Between two arrivals. */
const staggerMs = 20
const maxEntryMs = 120_000

/** The room of each bot. */
const inRooms = new Map<string, string>()
let failure: string | undefined
let latenciesMs: number[] = []
let refused = 0

/** A log that only counts, because the games are long. */
function countingLog(subject: string): BotLog {
  const sentAt = new Map<string, number>()
  function note(news: News): void {
    if (news.kind === 'entered') inRooms.set(subject, news.roomId)
    if (news.kind === 'sent') sentAt.set(news.actionId, performance.now())
    if (news.kind === 'acknowledged')
      latenciesMs.push(performance.now() - (sentAt.get(news.actionId) ?? Number.NaN))
    if (news.kind === 'refused') refused++
    if ('actionId' in news && news.kind !== 'sent') sentAt.delete(news.actionId)
    if (news.kind === 'failed') failure ??= `${subject}: ${news.message}`
  }
  return { subject, events: [], note }
}

/** Starts the bots one after the other. Each promise resolves when that bot's game is over. */
async function sendIn({ participants, ...game }: Crowd): Promise<Promise<unknown>[]> {
  const playing: Promise<unknown>[] = []
  for (let index = 0; index < participants; index++) {
    const subject = `bot-${index + 1}`
    // The same draws in every cluster, so that bots behave the same in all of them.
    const draws = createDraws(`scale-out/${index}`)
    playing.push(createBot({ ...game, subject, draws, log: countingLog(subject) }).play())
    await delay(staggerMs)
  }
  return playing
}

async function enter(crowd: Crowd): Promise<void> {
  inRooms.clear()
  for (const game of await sendIn(crowd))
    void game.then(() => {
      failure ??= 'a game without an end has ended'
    })
  const isEveryoneIn = () =>
    inRooms.size === crowd.participants || `${inRooms.size} of ${crowd.participants} are in a room`
  await waitUntil(() => failure !== undefined || isEveryoneIn(), { timeoutMs: maxEntryMs })
}

async function carryOut(order: BotsOrder): Promise<Played> {
  if (order.kind === 'finish') await Promise.all(await sendIn(order.crowd))
  if (order.kind === 'enter') await enter(order.crowd)
  latenciesMs = []
  refused = 0
  if (order.kind === 'play') await delay(order.ms)
  if (failure !== undefined) throw new Error(failure)
  const roomIds = [...new Set(inRooms.values())]
  return { roomIds, refused, latenciesMs: new Float64Array(latenciesMs) }
}

serveOrders(carryOut)
