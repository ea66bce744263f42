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
export {
  type AgentFigures,
  agentFigureRoutes,
  type CallFigures,
  type CredentialFigures,
  figureMinutes,
  maxCallsCounted,
} from './agents/figures.ts'
export { ModelCheck, type ModelCheckName, modelCheckNames, modelTimeoutMs } from './agents/model-checks.ts'
export {
  type PilotBody,
  type PilotPage,
  type PilotSummary,
  pilotRoutes,
  pilotsPerPage,
} from './agents/pilots.ts'
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
export { type CalledRoute, identityCalls, participantCalls, type RouteOf } from './api/calls.ts'
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
export { type ExperimentFlow, type FlowCounts, flowRoutes, maxFlowConditions } from './api/flow.ts'
export { forecastRoutes, type PaymentForecast } from './api/forecast.ts'
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
  maxLiveRooms,
  maxLiveWords,
} from './api/live.ts'
export { type DryRun, type DryRunArrivals, matchingRoutes } from './api/matching.ts'
export {
  type MediaPage,
  type MediaRecord,
  mediaPerPage,
  mediaRoutes,
  type UploadedMedia,
} from './api/media.ts'
export {
  type ClusterHealth,
  ConnectionView,
  claimedAddress,
  type InstanceMetrics,
  operationsRoutes,
  type PodHealth,
} from './api/operations.ts'
export {
  type CompleteBody,
  EventsEnvelope,
  type ExperimentConfig,
  type ExperimentSummary,
  type JoinBody,
  type PlayableFile,
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
export { type RevisionHead, type RevisionPage, revisionRoutes, revisionsPerPage } from './api/revision.ts'
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
  maxResearchersListed,
  type Researcher,
  type Researchers,
  type SystemInstance,
  type SystemInstances,
  systemRoutes,
} from './api/system.ts'
export { type NewTable, type StoredTable, type TableHead, tableRoutes } from './api/tables.ts'
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
export type { ClockReport } from './client-clock.ts'
export { maxClockOffsetMs } from './clock-bound.ts'
export { consentEvents } from './consent-events.ts'
export type { About } from './definition/about.ts'
export { type AccentColours, accentGrounds, accentIn } from './definition/accent.ts'
export {
  Agent,
  type AgentFallback,
  agentFallbacks,
  canTakeRole,
  pacingOf,
  type SpeaksWhen,
  scriptedProvider,
  speaksOf,
  takesSeats,
  usesModel,
} from './definition/agents.ts'
export { withoutAnswerKeys } from './definition/answer-keys.ts'
export { Appearance } from './definition/appearance.ts'
export { codelessOutcomes } from './definition/codeless-outcomes.ts'
export { contrastOf, mixColours } from './definition/colours.ts'
export {
  type Conditions,
  cellSeparator,
  conditionCountOf,
  conditionNamesOf,
  levelsOf,
  quotaOf,
  weightOf,
} from './definition/conditions.ts'
export {
  anyRole,
  ExperimentDefinition,
  groupSizeOf,
  initialExpressionOf,
  type RoleQuota,
  roleIdsOf,
  rolesOfPeople,
  Variable,
  variableOf,
  type WrittenDefinition,
} from './definition/definition.ts'
export { type Earnings, earningsOf, isPaidFor } from './definition/earnings.ts'
export { inLanguage, languagesOf, nameOf, textIn } from './definition/languages.ts'
export {
  type CodeAndRedirect,
  completionFor,
  type Finisher,
  lateCompletionFor,
  prolificCodeOf,
} from './definition/leaving.ts'
export { deadlinePolicies, elseOf, Matching } from './definition/matching.ts'
export { maxBlockDepth, statesInBlock, statesWithRotation } from './definition/nested-blocks.ts'
export { degreeOf, Network, type NetworkKind } from './definition/network.ts'
export {
  claimsEarnedOutcome,
  codesOf,
  type DropReason,
  dropReasonOf,
  knownOutcomes,
  outcomeNames,
  outcomesIn,
  outcomesOfDropouts,
  ownOutcomesIn,
  releasesSlot,
  success,
  unknownOutcome,
  unknownOutcomes,
  verificationOf,
} from './definition/outcomes.ts'
export { isTextByLanguage } from './definition/participant-text.ts'
export { Payment, ShownPayment } from './definition/payment.ts'
export {
  exitTo,
  idAtSite,
  identifyingParameters,
  isPreview,
  mturkOrigins,
  type RecruitingSite,
  recruitingSites,
  siteOf,
} from './definition/recruiting-site.ts'
export { redirectIssue } from './definition/redirect.ts'
export { mayBeSeenBy } from './definition/seen-by-role.ts'
export { shortLabelsOf } from './definition/short-labels.ts'
export { speedUp, speedUpAgent } from './definition/speed-up.ts'
export type { Stage } from './definition/stage.ts'
export { fieldsOfStages, stageIdOf, stageOf, studyOf } from './definition/stages.ts'
export { Component, endOfExperiment, isForRole, State, StateEnd, startOfTry } from './definition/state.ts'
export { changeComponentTexts, changeTexts, type TextPlace } from './definition/texts.ts'
export {
  columnPattern,
  columnsOfRows,
  rowsIn,
  type TrialCell,
  type TrialRow,
  type Trials,
  type TrialTables,
  tableIdPattern,
  tableIdsIn,
  trialIndex,
  withRows,
} from './definition/trials.ts'
export { ParticipantError, PlainError } from './error-schemas.ts'
export {
  type EnvelopeKind,
  type ErrorCode,
  envelopeKindOf,
  errorBody,
  errorCatalogue,
  errorCodes,
  type ValidationIssue,
} from './errors.ts'
export { escapeMarkdown, oneLine } from './escape-markdown.ts'
export type { EventFlag, ExportedEvent, ParticipantEvent } from './event.ts'
export { validatorForEvent } from './event-validator.ts'
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
export {
  isMediaType,
  type MediaKind,
  type MediaType,
  mediaIdPattern,
  mediaKinds,
  mediaNameIn,
  mediaNamePattern,
  mediaNamePrefix,
  mediaTypes,
  plainMediaName,
} from './media/media-files.ts'
export {
  fileIdPattern,
  fileNamePattern,
  mediaPath,
  mediaRoot,
  objectKeys,
  videoIdOfOriginal,
} from './media/object-keys.ts'
export { type Source, type TranscodeJob, type Transcoder, UnusableSource } from './media/transcoding.ts'
export { currencies, minorDigitsOf, plainMoney, productOf, roundMoney, sumOf } from './money.ts'
export { patternInWords } from './name-patterns.ts'
export {
  AnswerParadata,
  answerParadata,
  collectedOf,
  DeviceReport,
  deviceParadata,
  type ParadataKind,
  paradataKinds,
} from './paradata.ts'
export { type Parser, parserFor } from './parser.ts'
export { isUnfilledPlaceholder } from './placeholder.ts'
export { happens, pickOne, pickSome, type Random, randomFrom, seededRandom, wholeBetween } from './random.ts'
export { isRequestId, requestIdHeader } from './request-id.ts'
export {
  RoomAck,
  type RoomActionName,
  type RoomActionPayload,
  roomActions,
  SocketAuth,
  type UnanswerableReason,
} from './room/actions.ts'
export { maxListedGroup, otherCountIn } from './room/crowd.ts'
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
  type CrowdView,
  type MessageView,
  RoomSnapshot,
  type SeatStatus,
  type StateView,
  seatStatuses,
} from './room/view.ts'
export { RoomAssigned, WaitingEnded, WaitingStatus, waitingActions } from './room/waiting.ts'
export { quoted, typeInWords } from './schema-words.ts'
export {
  maySessionBecome,
  type ParticipantSession,
  type SessionStatus,
  sessionIdPrefix,
  sessionPseudonymPrefix,
  sessionTokenPrefix,
} from './session.ts'
export { findUnstorable } from './storable.ts'
export { type ReadTable, readTable } from './tables/read-table.ts'
export { Count, EpochMs, FreeObject, jsonBytesOf } from './text.ts'
export { findTooLong, issuesOf } from './value-issues.ts'
