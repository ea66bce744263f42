import { readFileSync } from 'node:fs'
import { type BotLog, playStudy, speedUp } from '@atrium/bots'
import { type ExperimentDefinition, paradataKinds, roomRoutes } from '@atrium/contract'
import { createApi, createResearcher, succeeded, type World } from '@atrium/testkit'
import { expect } from 'vitest'

const speed = 60

/** One whom a room knows, with the variables that it has for them, and those of the room. */
interface Seated {
  participantId: string
  variables: Record<string, unknown>
  ofRoom: Record<string, unknown>
}

export interface SimulatedStudy {
  experimentId: string
  token: string
  definition: ExperimentDefinition
  /** What the bots remember. */
  logs: BotLog[]
  /** What the rooms know, agents included. */
  seats: Map<string, Seated>
}

const definitionOf = (path: string): ExperimentDefinition =>
  JSON.parse(readFileSync(new URL(`../../../../../examples/${path}.json`, import.meta.url), 'utf8'))

/** Bots play an example to its end; nobody drops out, so everything that they sent must be there. */
export async function simulateExample(
  world: World,
  path: string,
  participants: number,
): Promise<SimulatedStudy> {
  const { http } = world.any()
  const api = createApi(http)
  const researcher = await createResearcher(api)
  const { token } = researcher
  const definition = speedUp(definitionOf(path), speed)
  const experimentId = await researcher.openExperiment({
    ...definition,
    paradata: [...paradataKinds],
    // On a busy machine nobody is lost to a wait that only took longer.
    ...(definition.matching && { matching: { ...definition.matching, deadlineMs: 60_000 } }),
  })
  const logs = await playStudy({
    baseUrl: http,
    experimentId,
    participants,
    seed: `round trip of ${path}`,
    speed,
    dropOutChance: 0,
    staggerMs: 10,
    patienceMs: 60_000,
  })
  for (const { events } of logs) expect(events.filter(({ kind }) => kind === 'failed')).toEqual([])
  const { rooms } = succeeded(
    await api.call(roomRoutes.list, { token, params: { experimentId }, query: { limit: '200' } }),
  )
  const seats = new Map<string, Seated>()
  for (const { roomId } of rooms) {
    const report = succeeded(await api.call(roomRoutes.state, { token, params: { roomId } }))
    const seated = succeeded(await api.call(roomRoutes.participants, { token, params: { roomId } }))
    for (const { participantId, variables } of seated.participants)
      seats.set(participantId, { participantId, variables, ofRoom: report.variables })
  }
  return { experimentId, token, definition, logs, seats }
}
