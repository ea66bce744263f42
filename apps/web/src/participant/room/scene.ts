import type { RoomSnapshot, StateView } from '@atrium/contract'
import type { Scene } from '../views/view.ts'
import type { RoomDesk } from './room-desk.ts'

/** What the components of the current state can know and do. */
export function sceneOf(view: RoomSnapshot, state: StateView, desk: RoomDesk): Scene {
  const { self, others, roomId } = view
  const throughout = new Set(view.globalComponents.map(({ id }) => id))
  return {
    roomId,
    participantId: self.participantId,
    alias: self.alias,
    role: self.role,
    others,
    stateId: state.id,
    visit: state.visit,
    enteredAt: state.enteredAt,
    deadlineAt: state.deadlineAt,
    variables: { ...view.variables, ...self.variables },
    progress: view.progress,
    messages: view.messages,
    isStill: view.status !== 'running' || self.status !== 'active',
    // A global component plays on from state to state; all others begin anew with each visit.
    shownSince: (componentId) => (throughout.has(componentId) ? 0 : state.enteredAt),
    media: desk.media,
    serverNow: desk.serverNow,
    uploadFile: desk.uploadFile,
    sendMessage: desk.say,
    note: desk.note,
  }
}
