export { createRooms, type Rooms } from './rooms.ts'
