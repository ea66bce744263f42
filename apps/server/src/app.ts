import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { openAgents } from './compose/agents.ts'
import { openEvents } from './compose/events.ts'
import { openDefinitions, openExperiments } from './compose/experiments.ts'
import { openExports } from './compose/exports.ts'
import { openFiles } from './compose/files.ts'
import { openIdentity } from './compose/identity.ts'
import { openKeyBox } from './compose/key-box.ts'
import { openMedia } from './compose/media.ts'
import { openOperations } from './compose/operations.ts'
import { openOwnership } from './compose/ownership.ts'
import { openParticipants } from './compose/participants.ts'
import { openPilots } from './compose/pilots.ts'
import { openPorts } from './compose/ports.ts'
import { openPrivacy } from './compose/privacy.ts'
import { openRecruiting } from './compose/recruiting.ts'
import { openLive, openRooms } from './compose/rooms.ts'
import { openSessions } from './compose/sessions.ts'
import { openStudyDrafts } from './compose/study-drafts.ts'
import { openSurface } from './compose/surface.ts'
import { openTables } from './compose/tables.ts'
import { openTries } from './compose/tries.ts'
import { openVideo } from './compose/video.ts'
import { openWaiting } from './compose/waiting.ts'
import type { Config } from './config/config.ts'
import type { Metrics } from './http/metrics.ts'
import type { Experiments } from './modules/experiments/index.ts'

export interface App {
  http: FastifyInstance
  metrics: Metrics
  experiments: Experiments
  /** From now on the other instances know this one, and reach it at this address. */
  register(address: string): Promise<void>
  /** No longer ready; requests under way are still answered. */
  drain(): Promise<void>
  close(): Promise<void>
}

const sweepEveryMs = 30_000

/** The composition root: opens all modules, and starts and stops what they do by themselves. */
export async function buildApp(
  config: Config,
  logger: FastifyBaseLogger,
  openVideoParts = openVideo,
): Promise<App> {
  const modules = await openModules(config, logger, openVideoParts)
  const { ports, surface, operations, experiments, media, ownership } = modules
  const sweep = setInterval(() => {
    for (const swept of [ports, modules.sessions, modules.privacy, media, modules.tries])
      swept.sweep().catch(ports.onBackgroundError)
  }, sweepEveryMs)
  sweep.unref()
  await modules.agents.start()
  await modules.recruiting.start()
  await operations.start()
  await modules.rooms.start()
  modules.waiting.start()
  modules.pilots.start()
  experiments.start()
  return {
    http: surface.http,
    metrics: operations.metrics,
    experiments: experiments.experiments,
    async register(address) {
      await ownership.register(address)
    },
    drain: () => drain(modules),
    async close() {
      clearInterval(sweep)
      await close(modules)
    },
  }
}

type Modules = Awaited<ReturnType<typeof openModules>>

/**
 * In the order in which they need each other. Where two do, the first is given a way to the other, which is not open yet:
 * it asks only when it is called.
 */
async function openModules(config: Config, logger: FastifyBaseLogger, openVideoParts: typeof openVideo) {
  const ports = await openPorts(config, logger)
  const identity = await openIdentity(ports, {
    hiddenExperiments: (ids, person) => experiments.accesses.hiddenAmong(ids, person),
  })
  const tables = openTables(ports)
  const experiments = openExperiments(ports, { ...identity, ...tables })
  const operations = openOperations(ports, () => ({ ...events, ...sessions, ...rooms, ...ownership }))
  const sessions = openSessions(ports, experiments, () => rooms.rooms)
  const events = openEvents(ports, { ...experiments, ...operations })
  const media = await openMedia(ports, { ...identity, openVideo: openVideoParts })
  const files = openFiles(ports, {
    ...{ ...experiments, ...sessions, ...media },
    privacy: { requireKnown: (person) => privacy.privacy.requireKnown(person) },
  })
  const known = {
    ...identity,
    ...tables,
    ...experiments,
    ...operations,
    ...sessions,
    ...events,
    ...media,
    ...files,
  }
  const rooms = openRooms(ports, known)
  const ownership = openOwnership(ports, { ...rooms, ...operations })
  const waiting = openWaiting(ports, { ...known, ...rooms })
  const live = openLive(ports, { ...known, ...rooms, ...waiting })
  const box = await openKeyBox(ports)
  const agents = openAgents(ports, { ...known, ...rooms, box })
  const recruiting = openRecruiting(ports, { ...experiments, box })
  const definitions = openDefinitions(ports, { ...known, ...agents })
  const studyDrafts = openStudyDrafts(ports, { ...agents, ...definitions })
  const pilots = openPilots(ports, { ...experiments, ...rooms, ...ownership, ...agents })
  const exports = openExports(ports, { ...known, ...agents })
  const privacy = openPrivacy(ports, { ...known, ...rooms })
  const tries = openTries(ports, { ...known, ...agents })
  const participants = openParticipants(ports, { ...known, ...privacy })
  const surface = openSurface(ports, known, [
    ...[identity, tables, operations, sessions, media, files, rooms, waiting, live, agents, recruiting],
    ...[definitions, studyDrafts, pilots, exports, privacy, tries, participants],
  ])
  return {
    ...{ ports, identity, experiments, operations, sessions, events, media, rooms, ownership, waiting, live },
    ...{ agents, recruiting, studyDrafts, pilots, privacy, tries, surface },
  }
}

/** The other instances get the new rooms and take ours over; requests and sockets are still answered. */
async function drain({ operations, live, pilots, ownership }: Modules): Promise<void> {
  operations.drain()
  live.stop()
  await pilots.stop()
  await ownership.drain()
}

/** First what begins work by itself, then the ways by which work comes in, and last what all of it is done with. */
async function close(modules: Modules): Promise<void> {
  const { ports, events, agents, ownership } = modules
  ports.space.stop()
  await modules.experiments.stop()
  modules.media.stop()
  ownership.stopTaking()
  await modules.pilots.stop()
  await modules.waiting.stop()
  await agents.stopTurns()
  modules.recruiting.stop()
  await modules.rooms.stop()
  // From here on others take the rooms, and the participants reconnect to them there.
  await ownership.release()
  modules.live.stop()
  await events.stopExports()
  agents.stop()
  modules.studyDrafts.stop()
  await modules.surface.close()
  await ports.heavyWork.close()
  await modules.media.close()
  await events.stop()
  await modules.sessions.stop()
  await modules.identity.stop()
  await ports.close()
}
