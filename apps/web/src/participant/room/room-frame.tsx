import { type ComponentView, otherCountIn, type RoomSnapshot, type StateView } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import { useSyncExternalStore } from 'react'
import { texts } from '../../text/participant.ts'
import { deadlineShown } from '../frame/deadline-shown.ts'
import type { RoomFiles } from '../media/room-files.ts'
import { MediaStage } from '../views/media/media-stage.tsx'
import type { Scene } from '../views/view.ts'
import { ComponentHost } from './component-host.tsx'
import type { RoomActions } from './room-actions.ts'
import { StatePage } from './state-page.tsx'

interface RoomFrameProps {
  view: RoomSnapshot
  state: StateView
  actions: RoomActions
}

/** What is being loaded for a later state; nothing once it is there. */
function LoadedAhead({ media }: { media: RoomActions['media'] }) {
  const progress = useSyncExternalStore(media.subscribe, media.ahead)
  return progress === undefined ? null : (
    <p className="loaded-ahead quiet">{texts().views.media.loadingAhead(progress)}</p>
  )
}

/** The current state, and around it the components that outlast it: a video keeps playing, a chat stays open. */
export function RoomFrame(props: RoomFrameProps) {
  const { actions } = props
  const files = actions.files()
  const { view, state } = files ? withAddresses(props, files) : props
  const scene = sceneOf(view, state, actions)
  const times = actions.timesIn(state.visit)
  const show = (component: ComponentView) => (
    <ComponentHost
      key={component.id}
      component={component}
      scene={scene}
      self={view.self}
      times={times}
      send={(value) => actions.answer(state.visit, component.id, value, times?.timingOf(component.id) ?? {})}
    />
  )
  const { bar = [], beside = [] } = Object.groupBy(view.globalComponents, ({ type }) =>
    componentTypeOf(type).isInBar ? 'bar' : 'beside',
  )
  const page = <StatePage key={state.visit} view={view} state={state} actions={actions} scene={scene} />
  return (
    <MediaStage>
      {bar.length > 0 && <div className="bar">{bar.map(show)}</div>}
      {files ? (
        <files.Gate
          key={state.visit}
          files={files}
          components={componentsOf(props)}
          note={scene.note}
          title={state.name}
        >
          {page}
        </files.Gate>
      ) : (
        page
      )}
      {beside.length > 0 && (
        <aside className="beside" aria-label={texts().room.throughout}>
          {beside.map(show)}
        </aside>
      )}
      <LoadedAhead media={actions.media} />
    </MediaStage>
  )
}

const componentsOf = ({ view, state }: RoomFrameProps): ComponentView[] => [
  ...state.components,
  ...view.globalComponents,
]

/** Views know nothing of uploaded files: they get addresses. */
function withAddresses({ view, state, actions }: RoomFrameProps, { address }: RoomFiles): RoomFrameProps {
  const addressed = { ...state, components: state.components.map(address) }
  const globalComponents = view.globalComponents.map(address)
  return { view: { ...view, state: addressed, globalComponents }, state: addressed, actions }
}

/** What the components of the current state can know and do. */
function sceneOf(view: RoomSnapshot, state: StateView, actions: RoomActions): Scene {
  const { self, others, roomId } = view
  const throughout = new Set(view.globalComponents.map(({ id }) => id))
  return {
    roomId,
    participantId: self.participantId,
    alias: self.alias,
    role: self.role,
    others,
    otherCount: otherCountIn(view),
    stateId: state.id,
    visit: state.visit,
    enteredAt: state.enteredAt,
    deadlineAt: deadlineShown(state),
    variables: { ...view.variables, ...self.variables },
    progress: view.progress,
    messages: view.messages,
    isStill: view.status !== 'running' || self.status !== 'active',
    // A global component plays on from state to state; all others begin anew with each visit.
    shownSince: (componentId) => (throughout.has(componentId) ? 0 : state.enteredAt),
    media: actions.media,
    serverNow: actions.serverNow,
    uploadFile: actions.uploadFile,
    sendMessage: actions.say,
    note: actions.note,
  }
}
