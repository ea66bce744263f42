export { type Api, type CallOptions, createApi } from './api.ts'
export { type BadLine, type BadLineOptions, type BadLineTally, startBadLine } from './bad-line.ts'
export { openBrowser, openFirefox } from './browsers.ts'
export { HandshakeRefused, type SocketSession } from './checked-socket.ts'
export { type Cluster, type ClusterOptions, startCluster } from './cluster.ts'
export { type ApiResponse, codeOf, eventsIn, isEventStream, linesOf, undocumented } from './documented.ts'
export { onFreePort } from './free-port.ts'
export { createMigratedDatabase } from './migrated-database.ts'
export {
  describeInBothModes,
  describeInOneMode,
  isLongRun,
  type Mode,
  patience,
  patienceWithDatabase,
  startWorld,
  type World,
  type WorldOptions,
} from './modes.ts'
export { type FreshMachine, startOnFreshMachine } from './npm-start.ts'
export { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts'
export {
  createPerson,
  createResearcher,
  type ExportedLine,
  numberedEvent,
  onceAvailable,
  smallestDefinition,
  succeeded,
} from './participant.ts'
export { createTestDatabase, type Postgres, startPostgres } from './postgres.ts'
export { findProgram, findPython, type Program, startProgram } from './program.ts'
export { type ProlificServer, startProlificServer } from './prolific-server.ts'
export { type Redis, startRedis } from './redis.ts'
export { openRoomSocket, type RoomSocket } from './room-socket.ts'
export { runnableOf } from './runnable.ts'
export { undeclaredIn } from './scrape.ts'
export { selfSigned } from './self-signed.ts'
export {
  type ObjectStoreProgram,
  type RouterOptions,
  type Server,
  type ServerOptions,
  ServerStartError,
  startObjectStore,
  startRouter,
  startServer,
  startWeb,
} from './server.ts'
export { type SlowLine, type SlowLineOptions, startSlowLine } from './slow-line.ts'
export { createSmallDisk, type SmallDisk } from './small-disk.ts'
export {
  type StubModelServer,
  type StubModelServerOptions,
  type StubReply,
  startStubModelServer,
} from './stub-model-server.ts'
export { openSyncSocket, type SyncSocket } from './sync-socket.ts'
export { startTcpGate, type TcpGate } from './tcp-gate.ts'
export { createFolderInMemory, createTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'
export { makeTinyVideo, type TinyVideo } from './tiny-video.ts'
export { startVideoAudience, type VideoAudience } from './video-audience.ts'
export { pace, waitUntil } from './wait.ts'
export { openWaitingSocket, type WaitingSocket } from './waiting-socket.ts'
