import { allRoutes, type SignInSettings } from '@atrium/contract'
import { buildAsyncApi, buildOpenApi } from '@atrium/contract/reference'
import { inSpan, type Tracing } from '@atrium/program'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from './config/config.ts'
import type { ArrivalRules } from './http/arrivals.ts'
import { createClientAddress, createPeerTrust } from './http/client-address.ts'
import { createDocument } from './http/document.ts'
import { createFigures, version } from './http/figures.ts'
import type { Metrics } from './http/metrics.ts'
import { addObjects, type RawHandler } from './http/objects.ts'
import { createOwnHosts, type IsOwnHost } from './http/own-hosts.ts'
import { addReferenceFiles } from './http/reference/reference-files.ts'
import { referencePageHeaders, renderReferencePage } from './http/reference/reference-page.ts'
import { createHttp } from './http/server.ts'
import { signInOrigins, uploadOrigins } from './http/web/policy.ts'
import type { WebPages } from './http/web/web-pages.ts'
import { AppError } from './kernel/app-error.ts'
import type { ExactClock } from './kernel/clock.ts'
import type { Space } from './kernel/space.ts'
import { addCredentialRoutes } from './modules/agents/credentials.routes.ts'
import type { AgentTurns, Credentials, Pilots, StudyDrafts } from './modules/agents/index.ts'
import { addPilotRoutes } from './modules/agents/pilots.routes.ts'
import { addStudyDraftRoutes } from './modules/agents/study-draft.routes.ts'
import { addAgentTurnRoutes } from './modules/agents/turns.routes.ts'
import type { EventExports, Events } from './modules/events/index.ts'
import { addExperimentRoutes } from './modules/experiments/experiments.routes.ts'
import type {
  DefinitionChecks,
  Drafts,
  ExperimentAccesses,
  Experiments,
} from './modules/experiments/index.ts'
import { addExportRoutes } from './modules/exports/exports.routes.ts'
import type { Exports } from './modules/exports/index.ts'
import { addAnswerFileRoutes, addUploadedAnswerRoute } from './modules/files/answer-files.routes.ts'
import type { AnswerFiles } from './modules/files/index.ts'
import { addDevelopmentIdentityRoutes, addSignInRoute } from './modules/identity/identity.routes.ts'
import type {
  DevelopmentIssuer,
  GuestIssuer,
  IdentityCheck,
  ResearcherPseudonym,
} from './modules/identity/index.ts'
import type { Keys } from './modules/keys/index.ts'
import { addKeyRoutes } from './modules/keys/keys.routes.ts'
import { addMatchingRoutes } from './modules/matching/matching.routes.ts'
import { serveConsoleSockets } from './modules/media/console.socket.ts'
import type { Media } from './modules/media/index.ts'
import { addInternalVideoRoutes, addVideoRoutes } from './modules/media/media.routes.ts'
import { addPlaybackRoutes } from './modules/media/playback.routes.ts'
import { addUploadRoutes } from './modules/media/uploads.routes.ts'
import { type AuditReader, addAuditRoutes } from './modules/operations/audit.routes.ts'
import type { AuditEntry, Operations } from './modules/operations/index.ts'
import { addOperationsRoutes } from './modules/operations/operations.routes.ts'
import { addSystemRoutes, type SystemRouteDeps } from './modules/operations/system.routes.ts'
import { addGuestRoute } from './modules/participants/guest.routes.ts'
import { refuseForeignClaims } from './modules/participants/participant-requests.ts'
import { addParticipantV3Routes } from './modules/participants/participant-v3.routes.ts'
import { addParticipantV4Routes } from './modules/participants/participant-v4.routes.ts'
import { addWithdrawalRoute } from './modules/participants/withdrawal.routes.ts'
import type { Privacy } from './modules/privacy/index.ts'
import { addPrivacyRoutes } from './modules/privacy/privacy.routes.ts'
import type { Recruiting } from './modules/recruiting/index.ts'
import { addRecruitingRoutes } from './modules/recruiting/recruiting.routes.ts'
import type { LiveStreams, Rooms } from './modules/rooms/index.ts'
import { addLiveRoutes } from './modules/rooms/live.routes.ts'
import { addReplayRoutes } from './modules/rooms/replay.routes.ts'
import { addRoomRoutes } from './modules/rooms/rooms.routes.ts'
import { serveExperimentSockets } from './modules/rooms/rooms.socket.ts'
import { serveSyncSockets } from './modules/rooms/sync.socket.ts'
import type { Sessions } from './modules/sessions/index.ts'
import { addSessionRoutes } from './modules/sessions/sessions.routes.ts'
import type { Tries } from './modules/tries/index.ts'
import { addTryRoutes } from './modules/tries/tries.routes.ts'
import type { Waiting } from './modules/waiting/index.ts'
import { serveWaitingSockets } from './modules/waiting/waiting.socket.ts'
import type { Bus } from './ports/bus.ts'
import type { HeavyWork } from './ports/heavy-work.ts'
import type { RateLimiter } from './ports/rate-limiter.ts'
import type { AroundAction, OnDefect } from './realtime/acknowledge.ts'
import { createHandshakes, type OnDecided } from './realtime/handshake.ts'
import { watchSessions } from './realtime/session-watch.ts'
import { createShares } from './realtime/shares.ts'
import { createSocketServer } from './realtime/socket-server.ts'

interface SurfaceDeps {
  config: Config
  logger: FastifyBaseLogger
  tracing: Tracing | undefined
  clock: ExactClock
  metrics: Metrics
  identities: IdentityCheck
  issuer: DevelopmentIssuer | undefined
  guests: GuestIssuer
  keys: Keys
  limiter: RateLimiter
  bus: Bus
  heavyWork: HeavyWork
  audit(entry: AuditEntry): Promise<void>
  auditReader: AuditReader
  researchers: SystemRouteDeps['researchers']
  researcherPseudonym: ResearcherPseudonym
  experiments: Experiments
  accesses: ExperimentAccesses
  checks: DefinitionChecks
  drafts: Drafts
  tries: Tries
  sessions: Sessions
  events: Events
  eventExports: EventExports
  exports: Exports
  privacy: Privacy
  files: AnswerFiles
  operations: Operations
  rooms: Rooms
  space: Space
  live: LiveStreams
  waiting: Waiting
  media: Media
  credentials: Credentials
  studyDrafts: StudyDrafts
  agentTurns: AgentTurns
  pilots: Pilots
  recruiting: Recruiting
  /** Our own object store; undefined if there is another. */
  handleObjects: RawHandler | undefined
  /** Where small uploads are kept while they arrive. */
  arrivals: Omit<ArrivalRules, 'places'>
  onBackgroundError(error: unknown): void
}

export interface Surface {
  http: FastifyInstance
  close(): Promise<void>
}

/** Everything that can be reached from outside: the routes and the socket namespaces. */
export function openSurface(deps: SurfaceDeps): Surface {
  const {
    config,
    experiments,
    accesses,
    sessions,
    events,
    rooms,
    media,
    credentials,
    clock,
    heavyWork,
    audit,
  } = deps
  const isOwnHost = ownHostsOf(deps)
  const { app, routes } = createHttp({
    ...config,
    ...deps,
    isOwnHost,
    internalKeys: config.video.internalKeys,
    web: webPagesOf(config),
    onlyPod: config.horizontalScaling ? undefined : config.pod.id,
  })
  if (config.useV4) addParticipantV4Routes(routes, { experiments, sessions, events, media }, clock)
  if (config.useV4) addWithdrawalRoute(routes, deps)
  if (config.useV4) addUploadedAnswerRoute(routes, { ...deps, refuseForeignClaims })
  addParticipantV3Routes(routes, { experiments, sessions, events })
  addExperimentRoutes(routes, {
    experiments,
    accesses,
    drafts: deps.drafts,
    checks: deps.checks,
    refuseFailedVideos: media.refuseFailed,
    clock,
    audit,
  })
  addTryRoutes(routes, deps.tries)
  addExportRoutes(routes, deps)
  addPrivacyRoutes(routes, deps)
  addAnswerFileRoutes(routes, deps)
  addAuditRoutes(routes, deps.auditReader)
  addSystemRoutes(routes, deps)
  addSessionRoutes(routes, sessions)
  addMatchingRoutes(routes, { experiments, heavyWork })
  addRoomRoutes(routes, deps)
  addReplayRoutes(routes, { rooms, experiments })
  addLiveRoutes(routes, deps)
  addCredentialRoutes(routes, { credentials, limiter: deps.limiter })
  addStudyDraftRoutes(routes, deps)
  addAgentTurnRoutes(routes, deps)
  addPilotRoutes(routes, deps)
  addRecruitingRoutes(routes, deps.recruiting)
  addKeyRoutes(routes, { keys: deps.keys, hiddenExperiments: accesses.hiddenAmong })
  addUploadRoutes(routes, { media, arrivals: deps.arrivals, publicUrl: config.publicUrl })
  addVideoRoutes(routes, media)
  addInternalVideoRoutes(routes, media)
  addPlaybackRoutes(app, media, clock)
  if (deps.handleObjects) addObjects(app, deps.handleObjects, config.publicUrl)
  addSignInRoute(routes, signInSettings(config))
  addGuestRoute(routes, { guests: deps.guests, experiments, sessions, limiter: deps.limiter })
  if (deps.issuer) addDevelopmentIdentityRoutes(routes, deps.issuer)
  addReferenceFiles(app)
  const openApi = buildOpenApi(servedRoutes(config), { version })
  addOperationsRoutes(routes, {
    operations: deps.operations,
    openApi: createDocument(JSON.stringify(openApi), 'application/json; charset=utf-8'),
    asyncApi: createDocument(JSON.stringify(buildAsyncApi({ version })), 'application/json; charset=utf-8'),
    referencePage: createDocument(renderReferencePage(), 'text/html; charset=utf-8', referencePageHeaders),
    figures: createFigures({ ...deps, podId: config.pod.id }),
  })
  const closeSockets = openSockets(app.server, deps, isOwnHost)
  return {
    http: app,
    async close() {
      closeSockets()
      await app.close()
    },
  }
}

function openSockets(
  server: FastifyInstance['server'],
  deps: SurfaceDeps,
  isOwnHost: IsOwnHost | undefined,
): () => void {
  const { config, rooms, space, waiting, sessions, media, identities, limiter, bus, clock } = deps
  const { metrics, logger, onBackgroundError } = deps
  const shares = createShares()
  const onDefect: OnDefect = (err, handshake) =>
    handshake ? logger.error({ ...handshake, err }, 'action failed') : onBackgroundError(err)
  const onDecided: OnDecided = (handshake, err) => {
    if (err === undefined) logger.debug(handshake, 'socket admitted')
    else if (err instanceof AppError) logger.debug({ ...handshake, code: err.code }, 'socket refused')
    else logger.error({ ...handshake, err }, 'handshake failed')
  }
  const { io, door, close } = createSocketServer({
    server,
    shares,
    isOwnHost,
    publicUrl: config.publicUrl,
    pageOrigins: config.pageOrigins,
    metrics: metrics.sockets,
    addressOf: createClientAddress(config.trustProxy),
    onDecided,
  })
  const handshakes = createHandshakes({
    io,
    door,
    sessions,
    shares,
    limiter,
    onDecided,
    onOtherBrowser: (handshake) => logger.warn(handshake, 'session used by another browser; refused'),
  })
  const { tracing } = deps
  const around: AroundAction | undefined =
    tracing && ((name, act) => inSpan(tracing, [`action ${name}`, { isRoot: true }], act))
  serveExperimentSockets({
    handshakes,
    rooms,
    sessions,
    space,
    around,
    checkAnswer: deps.files.check,
    onDefect,
  })
  serveSyncSockets({ handshakes, rooms, sessions, space, clock, around, onDrift: metrics.drift, onDefect })
  serveWaitingSockets({ handshakes, waiting, sessions, bus, clock, onDefect })
  const consoles = serveConsoleSockets({
    handshakes: { io, door, shares, limiter, onDecided },
    identities,
    media,
    bus,
    clock,
    onDefect,
  })
  const except = ['/waiting', '/console']
  const stopWatching = watchSessions({ io, sessions, bus, except, onError: onBackgroundError })
  return () => {
    stopWatching()
    consoles.close()
    close()
  }
}

/** H1: undefined with an identity provider, because then a name gives nobody any rights. */
function ownHostsOf({ config, issuer }: SurfaceDeps): IsOwnHost | undefined {
  if (!issuer) return undefined
  const configured = [config.publicUrl, ...config.pageOrigins, config.host, config.pod.ip]
  return createOwnHosts({ configured, isFromProxy: createPeerTrust(config.trustProxy) })
}

function webPagesOf({ webDir, oidc, objectStore, video }: Config): WebPages | undefined {
  if (webDir === undefined) return undefined
  const store = { endpoint: undefined, forcePathStyle: true, ...objectStore, bucket: video.bucket }
  return { folder: webDir, connectTo: signInOrigins(oidc?.issuer), uploadTo: uploadOrigins(store) }
}

/** The web app's client id at the provider is the audience of its ID tokens. */
const signInSettings = ({ oidc }: Config): SignInSettings =>
  oidc ? { kind: 'provider', issuer: oidc.issuer, clientId: oidc.audience } : { kind: 'development' }

const servedRoutes = (config: Config) =>
  allRoutes.filter(
    ({ path }) =>
      (config.useV4 || !path.startsWith('/api/v4/')) && (!config.oidc || !path.startsWith('/dev/identity/')),
  )
