import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { experimentRoutes, roomRoutes, studyOf } from '@atrium/contract'
import { type Api, createApi, createResearcher, succeeded } from '@atrium/testkit/without-vitest'
import { createBot } from '../bot.ts'
import { type BotLog, roomIdsOf } from '../bot-log.ts'
import { checkInvariants, type Finding } from '../invariants/check-invariants.ts'
import type { Evidence } from '../invariants/evidence.ts'
import type { AnswersToPick } from '../play/plan-visit.ts'
import { createDraws, type Draws, pickWeighted } from '../random.ts'

export interface SimulationOptions {
  baseUrl: string
  /** Where to read the results afterwards, if bots use a line that is bad on purpose; `baseUrl` if absent. */
  resultsUrl?: string
  /** An experiment that recruits. */
  experimentId: string
  participants: number
  /** The same seed gives the same answers. */
  seed: string
  /** Reaction times are divided by it; the experiment's own durations are not. */
  speed: number
  dropOutChance: number
  /** What bots say of themselves when they join: attribute → value → weight. */
  attributes?: Record<string, Record<string, number>>
  /** Component → answers that bots pick from, where random ones would say nothing, such as a text with certain words. */
  answers?: AnswersToPick
  /** Between two arrivals. */
  staggerMs: number
  patienceMs?: number
  onProgress?(through: number): void
}

export interface Simulation extends Evidence {
  findings: Finding[]
  durationMs: number
}

/** Sends bots through an experiment and compares what they remember with what the platform has stored. */
export async function simulate(options: SimulationOptions): Promise<Simulation> {
  const startedAt = performance.now()
  const logs = await playStudy(options)
  const examined = await examineStudy(options.resultsUrl ?? options.baseUrl, options.experimentId, logs)
  return { ...examined, durationMs: performance.now() - startedAt }
}

/** Resolves when every bot has finished, whatever the result; the logs have it. */
export async function playStudy(options: Omit<SimulationOptions, 'resultsUrl'>): Promise<BotLog[]> {
  const { participants, seed, staggerMs, attributes = {}, onProgress, ...rest } = options
  // New participants in each run, because nobody may take part twice.
  const run = randomBytes(4).toString('hex')
  let through = 0
  const playing = Array.from({ length: participants }, async (_, index) => {
    await delay(index * staggerMs)
    const draws = createDraws(`${seed}/${index}`)
    const metadata = drawMetadata(attributes, draws)
    const log = await createBot({ ...rest, draws, metadata, subject: `bot-${run}-${index + 1}` }).play()
    onProgress?.(++through)
    return log
  })
  return await Promise.all(playing)
}

/** Compares what bots remember with what the platform has stored. */
export async function examineStudy(
  baseUrl: string,
  experimentId: string,
  logs: readonly BotLog[],
): Promise<Omit<Simulation, 'durationMs'>> {
  const evidence = await gather(createApi(baseUrl, 'atrium-bot/0.1'), experimentId, logs)
  return { ...evidence, findings: checkInvariants(evidence) }
}

const drawMetadata = (
  attributes: NonNullable<SimulationOptions['attributes']>,
  draws: Draws,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, weights]) => [
      name,
      pickWeighted(weights, draws(`attribute ${name}`)),
    ]),
  )

/** The definition, the export, and the reports of the rooms. As an administrator: the experiment may be anybody’s (R37). */
async function gather(api: Api, experimentId: string, logs: readonly BotLog[]): Promise<Evidence> {
  const researcher = await createResearcher(api, ['admin'])
  const { token } = researcher
  const read = succeeded(await api.call(experimentRoutes.read, { token, params: { experimentId } }))
  const rooms: Evidence['rooms'][number][] = []
  for (const roomId of new Set(logs.flatMap(roomIdsOf))) {
    const report = succeeded(await api.call(roomRoutes.state, { token, params: { roomId } }))
    const { participants } = succeeded(await api.call(roomRoutes.participants, { token, params: { roomId } }))
    // What is checked is about people; the experiment's own agents only play with them.
    rooms.push({ report, seats: participants.filter(({ agent }) => agent === null) })
  }
  const subjects = new Set(logs.flatMap((log) => log.events.flatMap(joinedAs)))
  const exported = await researcher.exported(experimentId)
  return {
    definition: studyOf(read.definition),
    logs,
    rooms,
    // Others may take part in the same experiment.
    exported: exported.filter(({ participantId }) => subjects.has(participantId)),
  }
}

const joinedAs = (event: BotLog['events'][number]): string[] =>
  event.kind === 'joined' ? [event.participantId] : []
