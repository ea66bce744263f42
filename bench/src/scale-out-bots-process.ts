// The process of the bots; `scale-out-bots.ts` starts it and speaks with it.
import { setTimeout as delay } from 'node:timers/promises'
import { type BotLog, createBot, createDraws } from '@atrium/bots'
import { waitUntil } from '@atrium/testkit'
import type { BotsOrder, BotsReply, Played } from './scale-out-bots.ts'

type News = Parameters<BotLog['note']>[0]

/** Between two arrivals. */
const staggerMs = 20
const longestEntryMs = 120_000

const inRooms = new Set<string>()
let failure: string | undefined
let latenciesMs: number[] = []
let refused = 0

/** A log that keeps only what is counted: the games are long. */
function countingLog(subject: string): BotLog {
  const sentAt = new Map<string, number>()
  function note(news: News): void {
    if (news.kind === 'entered') inRooms.add(subject)
    if (news.kind === 'sent') sentAt.set(news.actionId, performance.now())
    if (news.kind === 'acknowledged')
      latenciesMs.push(performance.now() - (sentAt.get(news.actionId) ?? Number.NaN))
    if (news.kind === 'refused') refused++
    if ('actionId' in news && news.kind !== 'sent') sentAt.delete(news.actionId)
    if (news.kind === 'failed') failure ??= `${subject}: ${news.message}`
  }
  return { subject, events: [], note }
}

async function enter({ baseUrl, experimentId, participants }: BotsOrder & { kind: 'enter' }): Promise<void> {
  for (let index = 0; index < participants; index++) {
    const subject = `bot-${index + 1}`
    // The same draws in every cluster: they do the same in all of them.
    const bot = createBot({
      ...{ baseUrl, experimentId, subject },
      ...{ draws: createDraws(`scale-out/${index}`), log: countingLog(subject) },
    })
    void bot.play().then(() => {
      failure ??= `${subject}: its game has come to an end`
    })
    await delay(staggerMs)
  }
  const isEveryoneIn = () => inRooms.size === participants || `${inRooms.size} of ${participants} are in a room`
  await waitUntil(() => failure !== undefined || isEveryoneIn(), { timeoutMs: longestEntryMs })
}

async function follow(order: BotsOrder): Promise<Played> {
  if (order.kind === 'enter') await enter(order)
  latenciesMs = []
  refused = 0
  if (order.kind === 'play') await delay(order.ms)
  if (failure !== undefined) throw new Error(failure)
  return { acknowledged: latenciesMs.length, refused, latenciesMs: new Float64Array(latenciesMs) }
}

process.on('message', async (order: BotsOrder) => {
  const reply = await follow(order).then(
    (played): BotsReply => ({ ok: true, played }),
    (error: Error): BotsReply => ({ ok: false, message: error.message }),
  )
  process.send?.(reply)
})
process.on('disconnect', () => process.exit(0))
