import type { ComponentView, RoomSnapshot, StateView } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import { useSyncExternalStore } from 'react'
import { texts } from '../../text/participant.ts'
import { MediaStage } from '../views/media/media-stage.tsx'
import type { Scene } from '../views/view.ts'
import { ComponentHost } from './component-host.tsx'
import type { RoomDesk } from './room-desk.ts'
import { StatePage } from './state-page.tsx'

interface RoomFrameProps {
  view: RoomSnapshot
  state: StateView
  desk: RoomDesk
}

/** What is being loaded for a later state; nothing once it is there. */
function LoadedAhead({ media }: { media: RoomDesk['media'] }) {
  const progress = useSyncExternalStore(media.subscribe, media.ahead)
  return progress === undefined ? null : (
    <p className="loaded-ahead quiet">{texts().views.media.loadingAhead(progress)}</p>
  )
}

/** The current state, and around it the components that outlast it: a video keeps playing, a chat stays open. */
export function RoomFrame({ view, state, desk }: RoomFrameProps) {
  const scene = sceneOf(view, state, desk)
  const times = desk.timesIn(state.visit)
  const show = (component: ComponentView) => (
    <ComponentHost
      key={component.id}
      component={component}
      scene={scene}
      self={view.self}
      times={times}
      send={(value) => desk.answer(state.visit, component.id, value, times?.timingOf(component.id) ?? {})}
    />
  )
  const { bar = [], beside = [] } = Object.groupBy(view.globalComponents, ({ type }) =>
    componentTypeOf(type).isInBar ? 'bar' : 'beside',
  )
  return (
    <MediaStage>
      {bar.length > 0 && <div className="bar">{bar.map(show)}</div>}
      <StatePage key={state.visit} view={view} state={state} desk={desk} scene={scene} />
      {beside.length > 0 && (
        <aside className="beside" aria-label={texts().room.throughout}>
          {beside.map(show)}
        </aside>
      )}
      <LoadedAhead media={desk.media} />
    </MediaStage>
  )
}

/** What the components of the current state can know and do. */
function sceneOf(view: RoomSnapshot, state: StateView, desk: RoomDesk): Scene {
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
