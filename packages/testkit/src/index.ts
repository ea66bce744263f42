export { type Api, type CallOptions, createApi } from './api.ts'
export { openBrowser } from './browser.ts'
export { type Cluster, type ClusterOptions, startCluster } from './cluster.ts'
export { type Answer, codeOf, linesOf, undocumented } from './documented.ts'
export { describeInBothModes, type Mode, startWorld, type World, type WorldOptions } from './modes.ts'
export { pace } from './pace.ts'
export {
  createPerson,
  createResearcher,
  type ExportedLine,
  numberedEvent,
  smallestDefinition,
  succeeded,
} from './participant.ts'
export { type Postgres, startPostgres } from './postgres.ts'
export { type Redis, startRedis } from './redis.ts'
export { HandshakeRefused, openRoomSocket, type RoomSocket, type SocketSession } from './room-socket.ts'
export { type RouterOptions, startRouter } from './router.ts'
export { type Server, type ServerOptions, ServerStartError, startServer } from './server.ts'
export { createTestDatabase } from './shared-postgres.ts'
export { startTcpGate, type TcpGate } from './tcp-gate.ts'
export { createTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'
export { waitUntil } from './wait.ts'
export { openWaitingSocket, type WaitingSocket } from './waiting-socket.ts'
export { startWeb } from './web.ts'
