/** What waiting and rooms need besides the first page; loaded while that is fetched and read. */
export { connectRoom, connectWaiting } from '@atrium/client'
export { createRoomMedia } from './media/create-room-media.ts'
export { RoomPage } from './pages/room-page.tsx'
export { WaitingPage } from './pages/waiting-page.tsx'
export { createRoomActions } from './room/room-actions.ts'
export { loadConditions } from './room/shown.ts'
export { forgetTyped } from './room/typed.ts'
export { loadViews } from './views/catalogue.ts'
