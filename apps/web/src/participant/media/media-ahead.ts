import type { ComponentView, ExperimentConfig, RoomSnapshot } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import type { MediaKind } from './uploaded-media.ts'

type Component = Readonly<Record<string, unknown>> & { type: string }

/** The uploaded videos that this participant may come to see after the current state, nearest first. */
export function videosAhead(
  { states, globalComponents }: Pick<ExperimentConfig, 'states' | 'globalComponents'>,
  { state, globalComponents: shownThroughout }: Pick<RoomSnapshot, 'state' | 'globalComponents'>,
): { videoId: string; kind: MediaKind }[] {
  const here = states.findIndex(({ id }) => id === state?.id)
  // States can be visited again, in which case what is behind is ahead again.
  const order = [...states.slice(here + 1), ...states.slice(0, Math.max(0, here))]
  const later = [...order.flatMap(({ components = [] }) => components), ...globalComponents] as Component[]
  const shown = new Set(
    uploadsIn([...(state?.components ?? []), ...shownThroughout]).map(({ videoId }) => videoId),
  )
  const seen = new Set<string>()
  return uploadsIn(later).filter(({ videoId }) => {
    const isNew = !shown.has(videoId) && !seen.has(videoId)
    seen.add(videoId)
    return isNew
  })
}

function uploadsIn(components: readonly Component[]): { videoId: string; kind: MediaKind }[] {
  return components.flatMap(({ type, videoId, src }) => {
    const kind = componentTypeOf(type).plays
    return kind !== null && typeof videoId === 'string' && src === undefined ? [{ videoId, kind }] : []
  })
}

/**
 * Whether a video or audio may play in step with others: then the page connects to the room's clock, and waits for it.
 * The server decides; only this much can be known before it says so.
 */
export function mayPlayInStep(component: Component | ComponentView, otherCount: number): boolean {
  const { type, controls, controlledBy } = component as Component
  if (componentTypeOf(type).plays === null || controls === true || controlledBy === 'participant')
    return false
  return controlledBy !== undefined || otherCount > 0
}
