export { tooMuchWork } from './reduce-room.ts'
export { type DueRoom, duePerPage, type RoomStore } from './rooms.store.ts'
export { createRooms, type Rooms } from './rooms.ts'
