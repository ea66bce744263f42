export { type AnswerSource, answerSources } from './agents/answer-source.ts'
export { parseModelBaseUrl } from './agents/base-url.ts'
export {
  ChangedCredential,
  type Credential,
  type CredentialPage,
  type CredentialTest,
  credentialRoutes,
  credentialsPerPage,
  credentialUsesIn,
  customProvider,
  NewCredential,
} from './agents/credentials.ts'
export { draftMessages } from './agents/draft-prompt.ts'
export {
  componentChoiceTool,
  draftTool,
  readChosenTypes,
  readDraft,
} from './agents/draft-tools.ts'
export {
  type AgentFigures,
  agentFigureRoutes,
  type CallFigures,
  type CredentialFigures,
  figureMinutes,
  mostCallsCounted,
} from './agents/figures.ts'
export { ModelCheck, type ModelCheckName, modelCheckNames, modelTimeoutMs } from './agents/model-checks.ts'
export {
  ChatChunk,
  ChatCompletion,
  type ChatMessage,
  ChatRequest,
  type ChatTool,
  ModelList,
  ModelServerError,
  modelServerPaths,
  respondTool,
  type ToolCall,
  type ToolChoice,
} from './agents/model-server.ts'
export type { AgentMoves, AgentReply, AnswerMove, ChatMove } from './agents/moves.ts'
export { type MediatedRoom, mediatorPerception, perceptionOf, withRetry } from './agents/perceive.ts'
export { Perception } from './agents/perception.ts'
export {
  type PilotBody,
  type PilotPage,
  type PilotSummary,
  pilotRoutes,
  pilotsPerPage,
} from './agents/pilots.ts'
export { messagesFor, systemPromptOf } from './agents/prompt.ts'
export { type ReadReply, readReply } from './agents/read-reply.ts'
export { respondToolFor } from './agents/respond.ts'
export { type ScriptedTurn, scriptedReply } from './agents/scripted.ts'
export { type StudyDraft, studyDraftRoutes } from './agents/study-draft.ts'
export {
  type AgentOutcome,
  type AgentTurnPage,
  AgentTurnRecord,
  agentOutcomes,
  agentTurnRoutes,
  agentTurnsPerPage,
} from './agents/turns.ts'
export { type ExperimentAccess, mayWith, type NeededAccess, type ShareAccess } from './api/access.ts'
export { answerFileRoutes } from './api/answer-file.ts'
export { type AuditPage, type AuditRecord, auditPerPage, auditRoutes } from './api/audit.ts'
export { ConsoleAuth, consoleEvents } from './api/console.ts'
export { type DraftView, draftRoutes } from './api/draft.ts'
export {
  activityMinutes,
  type DefinitionChecked,
  type DefinitionFinding,
  type ExperimentActivity,
  type ExperimentHead,
  type ExperimentMonitor,
  type ExperimentStatus,
  experimentRoutes,
  experimentStatuses,
  mayExperimentBecome,
} from './api/experiment.ts'
export { type ExperimentFlow, type FlowCounts, flowRoutes, mostFlowConditions } from './api/flow.ts'
export {
  developmentIdentityRoutes,
  type GuestBody,
  identityRoutes,
  type SignInSettings,
} from './api/identity.ts'
export {
  apiKeyPrefix,
  type KeyAccess,
  type KeyRefusal,
  type KeyScope,
  keyAccessOf,
  keyRefusalOf,
} from './api/key-access.ts'
export { type ApiKey, type KeyPage, keyRoutes, keysPerPage, type NewKey } from './api/keys.ts'
export {
  type LiveExperiment,
  type LivePush,
  type LiveRoom,
  type LiveWord,
  liveRoutes,
  mostLiveRooms,
  mostLiveWords,
} from './api/live.ts'
export { type DryRun, type DryRunArrivals, matchingRoutes } from './api/matching.ts'
export {
  type ClusterHealth,
  ConnectionView,
  claimedAddress,
  type InstanceMetrics,
  operationsRoutes,
  type PodHealth,
} from './api/operations.ts'
export type { ExperimentSummary } from './api/participant.ts'
export {
  type CompleteBody,
  EventsEnvelope,
  type ExperimentConfig,
  type JoinBody,
  type PlayableVideo,
  type SessionClaims,
  type SessionHistoryItem,
} from './api/participant.ts'
export { participantRoutes } from './api/participant-routes.ts'
export {
  type Person,
  type PersonPage,
  type PersonStep,
  type PersonTimeline,
  peoplePerPage,
  peopleRoutes,
} from './api/people.ts'
export { type ExperimentPlots, plotRoutes } from './api/plots.ts'
export { type ErasureScope, privacyRoutes } from './api/privacy.ts'
export {
  type NewProlificStudy,
  type ProlificConnection,
  type ProlificSubmission,
  prolificRoutes,
} from './api/prolific.ts'
export { wholeNumberOf } from './api/query.ts'
export { type Recruit, type RecruitPage, recruitmentRoutes, recruitsPerPage } from './api/recruitment.ts'
export {
  type MomentKind,
  momentsPerPage,
  type RoomAtMoment,
  type RoomMoment,
  type RoomMoments,
  replayRoutes,
} from './api/replay.ts'
export {
  type RevisionHead,
  type RevisionPage,
  revisionRoutes,
  revisionsPerPage,
} from './api/revision.ts'
export {
  type AgentReport,
  type RoomPage,
  type RoomReport,
  type RoomSummary,
  roomRoutes,
  roomsPerPage,
  type SeatReport,
} from './api/room.ts'
export {
  type AccessSubject,
  accessSubjectOf,
  errorsOf,
  type RouteAuth,
  type RouteSpec,
  researcherWorkOf,
  subjectCodes,
} from './api/route.ts'
export { allRoutes } from './api/routes.ts'
export { isEmailUser, type Share, shareRoutes } from './api/shares.ts'
export {
  type InstanceStatus,
  MetricSample,
  mostResearchersListed,
  type Researcher,
  type Researchers,
  type SystemInstance,
  type SystemInstances,
  systemRoutes,
} from './api/system.ts'
export { type StartedTry, type TryBody, tryRoutes } from './api/tries.ts'
export { uploadRoutes } from './api/upload.ts'
export {
  type HlsComplete,
  type HlsStatus,
  type HlsSubmitted,
  internalVideoRoutes,
  type VideoPage,
  type VideoRecord,
  videoRoutes,
  videosPerPage,
} from './api/video.ts'
export { assertNever } from './assert-never.ts'
export { type AsyncApiDocument, buildAsyncApi, type MessageObject } from './asyncapi.ts'
export type { ClockReport } from './client-clock.ts'
export { maxClockOffsetMs } from './clock-bound.ts'
export {
  type ComponentTypeName,
  componentTypeOf,
  componentTypes,
  evaluateResponse,
  isKnownType,
  isRequired,
  type ReceivedSettings,
  responseSchemaOf,
} from './components/catalogue.ts'
export { checkComponents } from './components/check.ts'
export type { ComponentType, Evaluation, ResponseContext } from './components/component-type.ts'
export { drawAnswer } from './components/draw-answer.ts'
export { drawFromSchema } from './components/draw-from-schema.ts'
export { drawText } from './components/draw-text.ts'
export { acceptedFileOf, isAcceptedType, namesStoredFile } from './components/files.ts'
export type { JspsychPlugin, PluginParameter } from './components/jspsych/plugins.ts'
export { type PlannedTrial, plannedTrials } from './components/jspsych/timeline.ts'
export { createSuggestions, nearestName, type Suggest } from './components/nearest.ts'
export {
  mostMediaInStep,
  type PlayingInStep,
  playedByServer,
  playingInStepOf,
  stopRated,
  stopsOf,
} from './components/playing.ts'
export { publicComponent } from './components/public.ts'
export { payoffVariablesOf } from './components/references.ts'
export type { AnswerDraws } from './components/simulated.ts'
export { type ValueLabel, valueLabelsOf } from './components/value-labels.ts'
export { type VideoUse, videoUsesIn } from './components/video-uses.ts'
export { consentEvents } from './consent-events.ts'
export {
  type BusMessages,
  type BusTopic,
  busChannel,
  busMessages,
  keys,
  PodHistory,
  PodLease,
  PodMetrics,
  queues,
  RoomAssignment,
} from './coordination.ts'
export type { About } from './definition/about.ts'
export { aboutWarnings } from './definition/about-warnings.ts'
export { agentWarnings } from './definition/agent-warnings.ts'
export {
  Agent,
  type AgentFallback,
  agentFallbacks,
  pacingOf,
  type SpeaksWhen,
  scriptedProvider,
  speaksOf,
  takesSeats,
  usesModel,
} from './definition/agents.ts'
export { withoutAnswerKeys } from './definition/answer-keys.ts'
export {
  type AccentColours,
  Appearance,
  accentGrounds,
  accentIn,
} from './definition/appearance.ts'
export { groupSizeIssues, sizeIssues } from './definition/bounds.ts'
export { checkDefinition } from './definition/check.ts'
export { appearanceWarnings } from './definition/check-appearance.ts'
export { codelessOutcomes, codelessWarnings } from './definition/codeless-outcomes.ts'
export { contrastOf, mixColours } from './definition/colours.ts'
export type { Payment } from './definition/completion.ts'
export {
  anyRole,
  completionCodeOf,
  ExperimentDefinition,
  groupSizeOf,
  type RoleQuota,
  roleIdsOf,
  rolesOfPeople,
  Variable,
  variableOf,
} from './definition/definition.ts'
export { type Earnings, earningsOf } from './definition/earnings.ts'
export { languageFindings } from './definition/language-findings.ts'
export { inLanguage, languagesOf, nameOf, textIn } from './definition/languages.ts'
export { type Leaving, lateLeavingOf, leavingOf, prolificCodeOf } from './definition/leaving.ts'
export { deadlinePolicies, Matching } from './definition/matching.ts'
export {
  type DropReason,
  dropReasonOf,
  givesPlaceBack,
  outcomeNames,
  outcomesIn,
  outcomesOfDropouts,
  ownOutcomesIn,
  passesForEarned,
  success,
  unknownOutcomes,
  verificationOf,
} from './definition/outcomes.ts'
export { quicken } from './definition/quicken.ts'
export { quickenAgent } from './definition/quicken-agent.ts'
export {
  exitTo,
  idAtSite,
  isPreview,
  mturkOrigins,
  type RecruitingSite,
  recruitingSites,
  siteOf,
} from './definition/recruiting-site.ts'
export { shortLabelsOf } from './definition/short-labels.ts'
export { type Component, endOfExperiment, isForRole, type State, startOfTry } from './definition/state.ts'
export { changeComponentTexts, changeTexts, type TextPlace } from './definition/texts.ts'
export { untoldParadataWarnings } from './definition/untold-paradata.ts'
export { errorGuide } from './error-guide.ts'
export {
  type EnvelopeKind,
  type ErrorCode,
  envelopeKindOf,
  errorBody,
  errorCatalogue,
  errorCodes,
  ParticipantError,
  PlainError,
  type ValidationIssue,
} from './errors.ts'
export { escapeMarkdown, oneLine } from './escape-markdown.ts'
export {
  type EventFlag,
  type ExportedEvent,
  type ParticipantEvent,
  validatorForEvent,
} from './event.ts'
export { allowedBy, type ColumnType, columnTypeOf, type ExportColumn, snakeName } from './exports/columns.ts'
export {
  type ExportedStatus,
  type ExportFormat,
  type ExportQuery,
  exportFormats,
  momentOf,
  type TableFormat,
} from './exports/query.ts'
export {
  declaredColumns,
  type ExportedRow,
  type ExportTable,
  exportedTables,
  identityColumns,
  plannedStatesAtMost,
} from './exports/tables.ts'
export { formIssues } from './form-issues.ts'
export { preferredLanguage } from './languages.ts'
export { type LimitedEndpoint, limits, type ResearcherWork, unlimitedSlots } from './limits.ts'
export {
  hlsOutput,
  type LevelName,
  levelNames,
  levelsFor,
  type QualityLevel,
  qualityLevels,
} from './media/ladder.ts'
export { mediaPath, mediaRoot } from './media/media-path.ts'
export { fileIdPattern, fileNamePattern, objectKeys, videoIdOfOriginal } from './media/object-keys.ts'
export { type Source, type TranscodeJob, type Transcoder, UnusableSource } from './media/transcoding.ts'
export { minorDigitsOf, plainMoney, roundMoney } from './money.ts'
export { type AlertDeclaration, alerts } from './monitoring/alerts.ts'
export { type ForeignMetric, foreignMetrics } from './monitoring/foreign-metrics.ts'
export { furtherAlerts } from './monitoring/further-alerts.ts'
export {
  type MeteredProgram,
  type MetricDeclaration,
  type MetricUnit,
  metrics,
  metricsOf,
} from './monitoring/metrics.ts'
export { asWritten } from './openapi/as-written.ts'
export { definitionSchema } from './openapi/definition-schema.ts'
export type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
  SchemaNode,
} from './openapi/document.ts'
export { type ExampleOf, exampleOf } from './openapi/example.ts'
export { type Field, fieldsOf, limitsOf, type TypePart, typeOf } from './openapi/fields.ts'
export {
  callerOf,
  type DocumentedOperation,
  errorCodesOf,
  isSuccess,
  type NamedSchemas,
  operationsByTag,
  partsOf,
  refName,
  resolveSchema,
} from './openapi/reading.ts'
export { buildOpenApi } from './openapi.ts'
export {
  AnswerParadata,
  answerParadata,
  collectedOf,
  DeviceReport,
  deviceParadata,
  type ParadataKind,
  paradataKinds,
} from './paradata.ts'
export { isUnfilledPlaceholder } from './placeholder.ts'
export { happens, pickOne, pickSome, type Random, randomFrom, seededRandom, wholeBetween } from './random.ts'
export { isRequestId, requestIdHeader } from './request-id.ts'
export {
  RoomAck,
  type RoomActionName,
  type RoomActionPayload,
  roomActions,
  SocketAuth,
} from './room/actions.ts'
export { RoomEvent, type RoomEventType } from './room/events.ts'
export {
  actionRefusals,
  handshakeRefusals,
  type SocketEventName,
  type SocketNamespace,
  socketEvents,
  socketNamespaces,
} from './room/sockets.ts'
export {
  ClockPing,
  ClockPong,
  PlaybackState,
  type PlaybackStatus,
  type SyncActionName,
  type SyncActionPayload,
  syncActions,
} from './room/sync.ts'
export {
  type ComponentView,
  type MessageView,
  RoomSnapshot,
  type SeatStatus,
  type StateView,
} from './room/view.ts'
export {
  RoomAssigned,
  WaitingEnded,
  WaitingStatus,
  waitingActions,
} from './room/waiting.ts'
export {
  maySessionBecome,
  type ParticipantSession,
  type SessionStatus,
  sessionIdPrefix,
  sessionPseudonymPrefix,
  sessionTokenPrefix,
} from './session.ts'
export { findUnstorable } from './storable.ts'
export { issuesOf } from './value-issues.ts'
