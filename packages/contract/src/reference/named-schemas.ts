import type { TSchema } from 'typebox'
import { Credential, CredentialTest } from '../agents/credentials.ts'
import {
  ExperimentHead,
  ExperimentMonitor,
  ExperimentRevised,
  ExperimentStatusSchema,
} from '../api/experiment.ts'
import { PaymentForecast } from '../api/forecast.ts'
import { ApiKey } from '../api/keys.ts'
import { DryRun, DryRunArrivals } from '../api/matching.ts'
import { MediaRecord } from '../api/media.ts'
import { ClusterHealth, InstanceMetrics, PodHealth } from '../api/operations.ts'
import {
  CompleteBody,
  EventsBody,
  EventsBodyV3,
  ExperimentConfig,
  ExperimentSummary,
  JoinBody,
  PlayableFile,
  PlayableVideo,
  SessionHistoryItem,
} from '../api/participant.ts'
import { Share } from '../api/shares.ts'
import { VideoRecord } from '../api/video.ts'
import { Completion } from '../definition/completion.ts'
import { Conditions } from '../definition/conditions.ts'
import { Consent, ExperimentDefinition } from '../definition/definition.ts'
import { Dropout } from '../definition/dropout.ts'
import { Matching } from '../definition/matching.ts'
import { Role } from '../definition/roles.ts'
import { Stage } from '../definition/stage.ts'
import { Block, Component, GlobalComponent, State, StateEnd, Transition } from '../definition/state.ts'
import { ParticipantError, PlainError, ValidationIssue } from '../error-schemas.ts'
import { errorCodes } from '../errors.ts'
import {
  ComponentResponseEvent,
  ExportedEvent,
  OtherEvent,
  ParticipantEventSchema,
  StateTransitionEvent,
} from '../event.ts'
import { ExportedVariable } from '../exports/codebook.ts'
import {
  ExportedIdentity,
  ExportedMessage,
  ExportedParticipant,
  ExportedPayment,
  ExportedPlaybackReport,
  ExportedResponse,
  ExportedStateVisit,
  ExportedTurn,
} from '../exports/tables.ts'
import { SessionStatusSchema } from '../session.ts'

/** Schemas with their own name in the reference, in the order shown there. */
export const namedSchemas: Readonly<Record<string, TSchema>> = {
  JoinBody,
  EventsBody,
  EventsBodyV3,
  CompleteBody,
  ParticipantEvent: ParticipantEventSchema,
  StateTransitionEvent,
  ComponentResponseEvent,
  OtherEvent,
  ExperimentSummary,
  ExperimentConfig,
  SessionHistoryItem,
  SessionStatus: SessionStatusSchema,
  ExperimentDefinition,
  Stage,
  State,
  Component,
  GlobalComponent,
  StateEnd,
  Transition,
  Role,
  Conditions,
  Block,
  Matching,
  Dropout,
  Consent,
  Completion,
  ExperimentHead,
  Share,
  ExperimentRevised,
  ExperimentStatus: ExperimentStatusSchema,
  ExperimentMonitor,
  DryRunArrivals,
  DryRun,
  PaymentForecast,
  Credential,
  CredentialTest,
  ApiKey,
  MediaRecord,
  VideoRecord,
  PlayableVideo,
  PlayableFile,
  ExportedEvent,
  ExportedParticipant,
  ExportedResponse,
  ExportedMessage,
  ExportedStateVisit,
  ExportedPayment,
  ExportedPlaybackReport,
  ExportedTurn,
  ExportedVariable,
  ExportedIdentity,
  PodHealth,
  ClusterHealth,
  InstanceMetrics,
  ParticipantError: ParticipantError(errorCodes),
  PlainError: PlainError(errorCodes),
  ValidationIssue,
}
