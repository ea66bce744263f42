export { tooMuchWork } from './reduce-room.ts'
export type { RoomStore } from './rooms.store.ts'
export { createRooms, type Rooms } from './rooms.ts'
