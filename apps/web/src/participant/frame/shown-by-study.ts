import type { RoomSnapshot, StateView } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'

/** Whether a component of the study already shows this part of the frame: nobody needs the same clock twice. */
export const isShownByStudy = (
  part: 'clock' | 'progress',
  { globalComponents }: RoomSnapshot,
  { components }: StateView,
): boolean =>
  [...components, ...globalComponents].some(
    (component) => componentTypeOf(component.type).insteadOfFrame(component) === part,
  )
