// What programs use that are not tests: bots, simulations and the local cluster. `npm start` does not install Vitest,
// which the entry for tests needs.
export { type Api, createApi } from './api.ts'
export type { SocketSession } from './checked-socket.ts'
export { startCluster } from './cluster.ts'
export { type ApiResponse, linesOf } from './documented.ts'
export { createResearcher, succeeded } from './participant.ts'
export { startServer } from './server.ts'
export { openSyncSocket, type SyncSocket } from './sync-socket.ts'
