import type { AgentRunnerStore } from '../../modules/agents/agent-runner.store.ts'
import type { CredentialStore } from '../../modules/agents/credentials.store.ts'
import type { PilotStore } from '../../modules/agents/pilots.store.ts'
import type { AgentTurnStore } from '../../modules/agents/turns.store.ts'
import type { EventStore } from '../../modules/events/events.store.ts'
import type { AccessStore } from '../../modules/experiments/access.store.ts'
import type { DraftStore } from '../../modules/experiments/drafts.store.ts'
import type { ExperimentStore } from '../../modules/experiments/experiments.store.ts'
import type { FigureStore } from '../../modules/experiments/figures.store.ts'
import type { ExportStore } from '../../modules/exports/exports.store.ts'
import type { FileStore } from '../../modules/files/files.store.ts'
import type { SharedSecretStore } from '../../modules/identity/identity.store.ts'
import type { KeyStore } from '../../modules/keys/keys.store.ts'
import type { MediaStore } from '../../modules/media/media.store.ts'
import type { MediaFileStore } from '../../modules/media/media-files.store.ts'
import type { OperationsStore } from '../../modules/operations/operations.store.ts'
import type { PrivacyStore } from '../../modules/privacy/privacy.store.ts'
import type { RecruitingStore } from '../../modules/recruiting/recruiting.store.ts'
import type { RoomStore } from '../../modules/rooms/rooms.store.ts'
import type { SessionStore } from '../../modules/sessions/sessions.store.ts'
import type { TableStore } from '../../modules/tables/tables.store.ts'
import type { TryStore } from '../../modules/tries/tries.store.ts'
import { createAgentTurnStore } from './agents/calls.sql.ts'
import { createCredentialStore } from './agents/credentials.sql.ts'
import { createPilotStore } from './agents/pilots.sql.ts'
import { createAgentRunnerStore } from './agents/runner.sql.ts'
import { createEventStore } from './events/events.sql.ts'
import { createAccessStore } from './experiments/access.sql.ts'
import { createDraftStore } from './experiments/drafts.sql.ts'
import { createExperimentStore } from './experiments/experiments.sql.ts'
import { createExportStore } from './exports/exports.sql.ts'
import { isTransient } from './failures.ts'
import { createFigureStore } from './figures/figures.sql.ts'
import { createFileStore } from './files/files.sql.ts'
import { createSharedSecretStore } from './identity.sql.ts'
import { createKeyStore } from './keys/keys.sql.ts'
import { createMediaStore } from './media/media.sql.ts'
import { createMediaFileStore } from './media/media-files.sql.ts'
import { createOperationsStore } from './operations.sql.ts'
import { createPrivacyStore } from './privacy/privacy.sql.ts'
import { createRecruitingStore } from './recruiting/recruiting.sql.ts'
import { createRoomStore } from './rooms/rooms.sql.ts'
import { createSessionStore } from './sessions/sessions.sql.ts'
import type { Sql } from './tables.ts'
import { createTableStore } from './trial-tables/trial-tables.sql.ts'
import { createTryStore } from './tries/tries.sql.ts'

export interface Stores {
  experiments: ExperimentStore
  drafts: DraftStore
  tries: TryStore
  trialTables: TableStore
  figures: FigureStore
  accesses: AccessStore
  sessions: SessionStore
  events: EventStore
  files: FileStore
  exports: ExportStore
  rooms: RoomStore
  media: MediaStore
  mediaFiles: MediaFileStore
  credentials: CredentialStore
  keys: KeyStore
  secrets: SharedSecretStore
  operations: OperationsStore
  agentRunner: AgentRunnerStore
  agentTurns: AgentTurnStore
  pilots: PilotStore
  privacy: PrivacyStore
  recruiting: RecruitingStore
}

/** The stores of an open database. */
export interface Database extends Stores {
  close(): Promise<void>
}

export const createStores = (store: Sql): Stores => ({
  experiments: createExperimentStore(store),
  drafts: createDraftStore(store),
  tries: createTryStore(store),
  trialTables: createTableStore(store),
  figures: createFigureStore(store),
  accesses: createAccessStore(store),
  sessions: createSessionStore(store),
  events: createEventStore(store),
  files: createFileStore(store),
  exports: createExportStore(store),
  rooms: createRoomStore(store),
  media: createMediaStore(store),
  mediaFiles: createMediaFileStore(store),
  credentials: createCredentialStore(store),
  keys: createKeyStore(store),
  secrets: createSharedSecretStore(store),
  operations: createOperationsStore(store),
  agentRunner: createAgentRunnerStore(store),
  agentTurns: createAgentTurnStore(store),
  pilots: createPilotStore(store),
  privacy: createPrivacyStore(store),
  recruiting: createRecruitingStore(store),
})

export type StoreCall = (store: string, method: string, args: unknown[]) => Promise<unknown>

/**
 * Calls that read a lot, for people who can wait. Both engines run them separately, so that participants never wait
 * for them.
 */
const reports: { [Store in keyof Stores]?: readonly (keyof Stores[Store])[] } = {
  exports: ['plan', 'parts', 'lines', 'revisions', 'members', 'roomChanges'],
  experiments: [
    'monitor',
    'funnel',
    'visits',
    'activity',
    'plots',
    'people',
    'person',
    'revisions',
    'recruits',
  ],
  rooms: ['list', 'open', 'wordsAfter'],
  media: ['visible'],
  mediaFiles: ['visible'],
  agentTurns: ['exportPage', 'ofRoom', 'sums'],
  pilots: ['list'],
  privacy: ['page'],
  operations: ['auditPage', 'researchers'],
}

/** Sends reports one way and all other calls another. */
export function splitReports(reporting: StoreCall, call: StoreCall): StoreCall {
  const names = new Set(
    Object.entries(reports).flatMap(([store, methods]) => methods.map((method) => `${store}.${method}`)),
  )
  return (store, method, args) => (names.has(`${store}.${method}`) ? reporting : call)(store, method, args)
}

/** Stores whose methods all go through `call`, for example to a worker thread or through a mapping of failures. */
export function storesCalling(call: StoreCall): Stores {
  const storeNamed = (store: string) =>
    new Proxy(
      {},
      {
        get:
          (_target, method) =>
          (...args: unknown[]) =>
            call(store, String(method), args),
      },
    )
  return {
    experiments: storeNamed('experiments') as ExperimentStore,
    drafts: storeNamed('drafts') as DraftStore,
    tries: storeNamed('tries') as TryStore,
    trialTables: storeNamed('trialTables') as TableStore,
    figures: storeNamed('figures') as FigureStore,
    accesses: storeNamed('accesses') as AccessStore,
    sessions: storeNamed('sessions') as SessionStore,
    events: storeNamed('events') as EventStore,
    files: storeNamed('files') as FileStore,
    exports: storeNamed('exports') as ExportStore,
    rooms: storeNamed('rooms') as RoomStore,
    media: storeNamed('media') as MediaStore,
    mediaFiles: storeNamed('mediaFiles') as MediaFileStore,
    credentials: storeNamed('credentials') as CredentialStore,
    keys: storeNamed('keys') as KeyStore,
    secrets: storeNamed('secrets') as SharedSecretStore,
    operations: storeNamed('operations') as OperationsStore,
    agentRunner: storeNamed('agentRunner') as AgentRunnerStore,
    agentTurns: storeNamed('agentTurns') as AgentTurnStore,
    pilots: storeNamed('pilots') as PilotStore,
    privacy: storeNamed('privacy') as PrivacyStore,
    recruiting: storeNamed('recruiting') as RecruitingStore,
  }
}

/** Calls a store by name. A deadlock, which wrote nothing, is retried once. */
export function createStoreCall(stores: Stores): StoreCall {
  return async (store, method, args) => {
    const target = stores[store as keyof Stores] as unknown as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >
    const run = target[method]
    if (!run) throw new Error(`there is no ${store}.${method}`)
    try {
      return await run(...args)
    } catch (error) {
      if (!isTransient(error)) throw error
      return await run(...args)
    }
  }
}
