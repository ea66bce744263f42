import type { ComponentView, RoomSnapshot } from '@atrium/contract'
import { targetsOf } from '@atrium/contract/components'
import { useRef } from 'react'
import { RescueBoundary } from '../../rescue/rescue-boundary.tsx'
import { views } from '../views/catalogue.ts'
import { UnknownView } from '../views/stand-ins.tsx'
import type { Scene, WayOnWithout } from '../views/view.ts'
import type { AnswerTimes } from './answer-times.ts'
import { isAnswered, isForm } from './answering.ts'
import { AskedForEach } from './asked-for-each.tsx'
import { useMeasured } from './use-measured.ts'

interface ComponentHostProps {
  component: ComponentView
  scene: Scene
  self: RoomSnapshot['self']
  send(value: unknown): Promise<void>
  /** For questions that are sent with the page’s button. */
  draft?: unknown
  onDraft?(value: unknown): void
  problem?: string | undefined
  isSending?: boolean
  wayOn?: WayOnWithout | undefined
  /** Absent where nobody answers. */
  times?: AnswerTimes | undefined
}

/** A component on the page: its view, with what the room has stored for it. */
export function ComponentHost({ component, scene, self, send, ...more }: ComponentHostProps) {
  const { draft, onDraft = () => undefined, problem, isSending = false, times, wayOn } = more
  const { id, type } = component
  const place = useRef<HTMLElement>(null)
  useMeasured(place, id, times)
  const View = views.get(type)
  const targets = targetsOf(component)
  const props = {
    component,
    scene,
    send,
    draft,
    onDraft,
    problem,
    wayOn,
    recorded: Object.hasOwn(self.responses, id) ? self.responses[id] : undefined,
    result: asRecord(self.results[id]),
    isLocked: isAnswered(component, self) || scene.isStill || (isSending && isForm(component)),
  }
  return (
    <section
      ref={place}
      className="component"
      data-component={id}
      data-type={type}
      data-form={isForm(component) ? true : undefined}
    >
      <RescueBoundary
        instead={<UnknownView component={component} />}
        onFailure={({ message }) => scene.note('view_failed', id, { message })}
      >
        {targets ? (
          <AskedForEach {...props} targets={targets} />
        ) : View ? (
          <View {...props} />
        ) : (
          <UnknownView component={component} />
        )}
      </RescueBoundary>
      {problem && !isForm(component) && props.recorded === undefined && <p className="problem">{problem}</p>}
    </section>
  )
}

const asRecord = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
