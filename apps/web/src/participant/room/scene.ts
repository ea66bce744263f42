import type { RoomSnapshot, StateView } from '@atrium/contract'
import type { Scene } from '../views/view.ts'
import type { RoomDesk } from './room-desk.ts'

/** What the components of the current state can know and do. */
export function sceneOf(view: RoomSnapshot, state: StateView, desk: RoomDesk): Scene {
  const { self, others, roomId } = view
  return {
    roomId,
    participantId: self.participantId,
    alias: self.alias,
    others,
    stateId: state.id,
    visit: state.visit,
    enteredAt: state.enteredAt,
    deadlineAt: state.deadlineAt,
    variables: { ...view.variables, ...self.variables },
    progress: view.progress,
    messages: view.messages,
    isStill: view.status !== 'running' || self.status !== 'active',
    serverNow: desk.serverNow,
    sendMessage: desk.say,
    note: desk.note,
  }
}
