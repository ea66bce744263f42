export type { LiveRoom } from './live/live-room.ts'
export { type AgentUse, isBudgetSpent, type PendingTurn } from './model/agent-part.ts'
export type { AgentView } from './model/agent-view.ts'
export { agentsIn, isPerson } from './model/agents-in-room.ts'
export type { AgentMove } from './model/room-action.ts'
export type { RoomState } from './model/room-state.ts'
export { createLiveFeed } from './monitor/live-feed.ts'
export { createLiveStreams } from './monitor/live-streams.ts'
export {
  type AgentCall,
  type AgentSampling,
  type AgentSeat,
  type DueRoom,
  duePerPage,
  type RewrittenRoom,
  type RoomStore,
} from './rooms.store.ts'
export { createRooms, type Rooms } from './rooms.ts'
export { turnIsOver } from './rules/agent-turn.ts'
export { tooMuchWork } from './rules/reduce-room.ts'
