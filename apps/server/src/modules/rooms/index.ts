export type { RoomAction } from './room-action.ts'
export { createRooms, type Rooms } from './rooms.ts'
