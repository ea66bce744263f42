import { tmpdir } from 'node:os'
import { addressOf, ConfigError } from '@atrium/program'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createGuardedFetch } from './adapters/outbound/guarded-fetch.ts'
import { createHeavyWork } from './adapters/worker-thread/heavy-work.ts'
import { openAgents } from './agents.ts'
import type { Config } from './config/config.ts'
import { openCoordination } from './coordination.ts'
import { openKeyBox } from './credentials.ts'
import { version } from './http/figures.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { sealingKeysFrom } from './kernel/sealed.ts'
import { createAgentTurns, createPilots, createStudyDrafts } from './modules/agents/index.ts'
import { createEventExports, createEvents, groupLimits } from './modules/events/index.ts'
import {
  createDefinitionChecks,
  createDrafts,
  createExperimentAccesses,
  createExperiments,
  createFigures,
  type Experiments,
} from './modules/experiments/index.ts'
import { createExports } from './modules/exports/index.ts'
import { createAnswerFiles } from './modules/files/index.ts'
import {
  createGuestIssuer,
  createIdentityCheck,
  createResearcherPseudonyms,
  developmentIssuer,
} from './modules/identity/index.ts'
import { createKeys } from './modules/keys/index.ts'
import { createMedia } from './modules/media/index.ts'
import { createOperations, createResearcherNotes } from './modules/operations/index.ts'
import { createPrivacy } from './modules/privacy/index.ts'
import { createProlificApi, createRecruiting } from './modules/recruiting/index.ts'
import { createSessions, createSessionTokens, withHeldIdentities } from './modules/sessions/index.ts'
import { createTries } from './modules/tries/index.ts'
import { openPlay } from './play.ts'
import { openIssuer, sessionSecrets } from './signing.ts'
import { openSpace, openStorage } from './storage.ts'
import { openSurface } from './surface.ts'
import { openTraces } from './tracing.ts'
import { openVideo as openVideoParts } from './video.ts'

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

/** The composition root: the only place that chooses adapters and wires everything together. */
export async function buildApp(
  config: Config,
  logger: FastifyBaseLogger,
  openVideo = openVideoParts,
): Promise<App> {
  const onBackgroundError = (error: unknown) =>
    logger.warn({ err: error }, 'background work failed; it is tried again')
  const warnShared = (path: string) =>
    logger.warn({ path }, 'other users of this machine may read this path; make it private')
  const warn = (facts: Record<string, unknown>, message: string) => logger.warn(facts, message)
  const { databaseUrl, quotas } = config
  const tracing = await openTraces(config, logger)
  const { database, sharedClock, source, clock } = await openStorage(config, {
    tracing,
    onShared: warnShared,
    onBackgroundError,
    warn,
  })
  const quota = { participantBytes: quotas.participantBytes, experimentBytes: quotas.experimentBytes }
  const { space, keepFreeBytes } = await openSpace(config, { warn, onBackgroundError })
  const coordination = await openCoordination(config, clock, onBackgroundError)
  const { bus, limiter, pods, queue } = coordination

  const { issuer, verify } = await openIssuer(config, database, { clock, source })
  const guests = await createGuestIssuer(database.secrets, clock)
  const keys = createKeys({
    ...{ store: database.keys, bus, clock, onBackgroundError },
    // Its tokens said whatever somebody wanted, verified addresses included, and a key remembers them.
    refusedIssuer: config.oidc && developmentIssuer,
  })
  const researchers = createResearcherNotes({ store: database.operations, clock, onBackgroundError })
  const identities = researchers.watch(createIdentityCheck(verify, [keys, guests], config.adminUsers))
  const researcherPseudonym = await createResearcherPseudonyms(database.secrets)
  const podId = config.pod.id
  const experiments = createExperiments({ store: database.experiments, clock })
  const drafts = createDrafts({ store: database.drafts, experiments, clock })
  const figures = createFigures({ store: database.figures, clock, onBackgroundError })
  const accesses = createExperimentAccesses({
    store: database.accesses,
    bus,
    clock,
    confirmKey: keys.confirm,
  })
  const groups = databaseUrl ? groupLimits.shared : groupLimits.embedded
  const secrets = await sessionSecrets(config, database, warnShared)
  const sealing = sealingKeysFrom(secrets)
  const events = createEvents({ store: database.events, experiments, clock, quota, space, groups, sealing })
  const sessions = createSessions({
    store: withHeldIdentities(database.sessions, sealing),
    tokens: createSessionTokens(secrets),
    bindIp: config.sessionBindIp,
    quota,
    space,
    originRetentionMs: config.originRetentionMs,
    decidedInRoom: (roomId, participantId) => rooms.decided(roomId, participantId),
    withdrawFromRoom: (participantId) => rooms.withdrawn({ participantId }),
    experiments,
    bus,
    clock,
    podId,
    softwareVersion: version,
    onBackgroundError,
  })
  const operations = createOperations({
    store: database.operations,
    space,
    load: () => ownership.load(),
    countAll: () => database.rooms.countAwake(),
    sample: () => metrics.sample(),
    heartbeatMs: config.pod.heartbeatMs,
    pods,
    clock,
    podId,
    onBackgroundError,
  })
  const metrics = createMetrics(
    () => database.sessions.activeExperiments(clock.now()),
    () => ownership.load().rooms,
    space.freeBytes,
  )
  const eventExports = createEventExports({
    audit: database.operations.audit,
    onEnded: metrics.exported,
    clock,
    onBackgroundError,
  })
  const { rooms, ownership, waiting, live } = openPlay(config, {
    onCounted: metrics.waiting,
    reportSoon: operations.reportSoon,
    database,
    coordination,
    experiments,
    sessions,
    quota,
    clock,
    warn,
    onBackgroundError,
  })
  const video = await openVideo(config, {
    reports: {
      submitted: (videoId, job) => media.submitted(videoId, job),
      progressed: (videoId, report) => media.progressed(videoId, report),
      completed: (videoId, outcome) => media.completed(videoId, outcome),
    },
    secrets,
    clock,
    logger,
    onBackgroundError,
  })
  const media = createMedia({
    ...config.video,
    ...video,
    store: database.media,
    secrets,
    bus,
    clock,
    onBackgroundError,
  })
  const box = await openKeyBox(config, { database, onShared: warnShared, warn })
  const agents = openAgents(config, {
    box,
    onCall: metrics.agents.called,
    tracing,
    database,
    rooms,
    clock,
    warn,
    onBackgroundError,
  })
  const { credentials } = agents
  const toProlific = createGuardedFetch({ hosted: config.hosted })
  const recruiting = createRecruiting({
    store: database.recruiting,
    exports: database.exports,
    audit: database.operations.audit,
    openApi: (token) => createProlificApi({ baseUrl: config.prolificUrl, token, fetch: toProlific.fetch }),
    publicUrl: config.publicUrl,
    box,
    experiments,
    clock,
    warn,
  })
  const heavyWork = createHeavyWork()
  const checks = createDefinitionChecks({
    heavyWork,
    refuseHiddenVideos: media.refuseHidden,
    refuseHiddenCredentials: credentials.refuseHidden,
    warningsAboutVideos: media.warningsAbout,
  })
  const studyDrafts = createStudyDrafts({
    openModel: agents.openModel,
    audit: database.operations.audit,
    checks,
    clock,
    onBackgroundError,
  })
  const agentTurns = createAgentTurns({ store: database.agentTurns, experiments, clock })
  const files = createAnswerFiles({
    ...media,
    store: database.files,
    quota: { ...quota, participantBytes: quotas.participantFileBytes },
    space,
    experiments,
    sessions,
  })
  const exports = createExports({
    store: database.exports,
    readAnswerFile: files.read,
    agentTurns,
    experiments,
    version,
  })
  const pilots = createPilots({
    store: database.pilots,
    countRooms: () => ownership.load().rooms,
    maxRooms: config.pod.capacity.maxRooms,
    rooms,
    experiments,
    heavyWork,
    credentials,
    clock,
    podId,
    onBackgroundError,
  })
  const privacy = createPrivacy({ store: database.privacy, sessions, rooms, queue, files, bus, clock })
  const tries = createTries({
    store: database.tries,
    experiments,
    heavyWork,
    media,
    credentials,
    sessions,
    queue,
    files,
    bus,
    clock,
  })
  const surface = openSurface({
    config,
    logger,
    tracing,
    clock,
    metrics,
    identities,
    issuer,
    guests,
    keys,
    limiter,
    bus,
    audit: database.operations.audit,
    auditReader: database.operations,
    researchers: database.operations.researchers,
    researcherPseudonym,
    experiments,
    accesses,
    checks,
    drafts,
    tries,
    sessions,
    events,
    eventExports,
    exports,
    privacy,
    files,
    operations,
    rooms,
    space,
    live,
    waiting,
    media,
    credentials,
    studyDrafts,
    agentTurns,
    pilots,
    recruiting,
    handleObjects: video.handleObjects,
    arrivals: databaseUrl
      ? { folder: tmpdir(), keepFreeBytes: 0 }
      : { folder: config.dataDir, keepFreeBytes },
    heavyWork,
    onBackgroundError,
  })
  const sweep = setInterval(() => {
    sharedClock?.read().catch(onBackgroundError)
    sessions.sweep().catch(onBackgroundError)
    privacy.sweep().catch(onBackgroundError)
    media.sweep().catch(onBackgroundError)
    tries.sweep().catch(onBackgroundError)
  }, sweepEveryMs)
  sweep.unref()
  await credentials.reseal()
  await recruiting.reseal()
  await operations.start()
  await rooms.restoreAll()
  waiting.start()
  pilots.start()
  figures.start()

  return {
    http: surface.http,
    metrics,
    experiments,
    async register(address) {
      video.listening(addressOf(surface.http.server, config.host))
      const conflict = await ownership.register(address)
      if (conflict !== undefined) throw new ConfigError(conflict)
    },
    async drain() {
      operations.drain()
      live.stop()
      await pilots.stop()
      await ownership.drain()
    },
    async close() {
      clearInterval(sweep)
      space.stop()
      await figures.stop()
      media.stop()
      ownership.stopTaking()
      await pilots.stop()
      await waiting.stop()
      await agents.stop()
      toProlific.close()
      await rooms.stop()
      // From here on others take the rooms, and the participants reconnect to them there.
      await ownership.release()
      live.stop()
      await eventExports.stop()
      credentials.stop()
      studyDrafts.stop()
      await surface.close()
      await heavyWork.close()
      await video.close()
      await events.drain()
      await sessions.activity.stop()
      await keys.stop()
      await researchers.stop()
      await coordination.close()
      await database.close()
      await tracing?.stop()
    },
  }
}
