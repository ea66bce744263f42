export {
  type ExperimentHead,
  type ExperimentMonitor,
  type ExperimentStatus,
  experimentRoutes,
  experimentStatuses,
  mayExperimentBecome,
} from './api/experiment.ts'
export {
  type ClusterHealth,
  developmentIdentityRoutes,
  operationsRoutes,
  type PodHealth,
} from './api/operations.ts'
export {
  type CompleteBody,
  EventsEnvelope,
  type ExperimentConfig,
  type JoinBody,
  type SessionClaims,
  type SessionHistoryItem,
} from './api/participant.ts'
export { participantRoutes } from './api/participant-routes.ts'
export { errorsOf, type RouteAuth, type RouteSpec } from './api/route.ts'
export { allRoutes } from './api/routes.ts'
export { checkDefinition } from './definition/check.ts'
export { ExperimentDefinition, groupSizeOf, roleIdsOf } from './definition/definition.ts'
export { fillRedirect } from './definition/redirect.ts'
export { errorGuide } from './error-guide.ts'
export {
  type EnvelopeKind,
  type ErrorCode,
  envelopeKindOf,
  errorCatalogue,
  errorCodes,
  ParticipantError,
  PlainError,
  type ValidationIssue,
} from './errors.ts'
export { type EventFlag, type ExportedEvent, type ParticipantEvent, validatorForEvent } from './event.ts'
export { keys, PodMetrics, RoomAssignment } from './keys.ts'
export { type LimitedEndpoint, limits, unlimitedSlots } from './limits.ts'
export { metrics } from './metrics.ts'
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
  operationsByTag,
  refName,
  resolveSchema,
} from './openapi/reading.ts'
export { buildOpenApi } from './openapi.ts'
export {
  maySessionBecome,
  type ParticipantSession,
  type SessionStatus,
  sessionIdPrefix,
  sessionTokenPrefix,
} from './session.ts'
