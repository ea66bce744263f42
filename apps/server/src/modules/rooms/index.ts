export { type DueRoom, duePerPage, type RoomStore } from './rooms.store.ts'
export { createRooms, type Rooms } from './rooms.ts'
export { tooMuchWork } from './rules/reduce-room.ts'
