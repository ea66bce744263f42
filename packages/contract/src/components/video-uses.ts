import type { ExperimentDefinition } from '../definition/definition.ts'
import { mayBeSeenBy } from '../definition/seen-by-role.ts'
import { componentTypeOf } from './catalogue.ts'
import type { Settings } from './component-type.ts'

/** A component of a definition that plays an uploaded video. */
export interface VideoUse {
  videoId: string
  /** JSON pointer into the definition. */
  path: string
}

/** Every place where a definition names an uploaded video, or only those that a role sees; `null` has no role yet. */
export function videoUsesIn(definition: ExperimentDefinition, role?: string | null): VideoUse[] {
  const { states, globalComponents = [] } = definition
  const seen = role === undefined ? undefined : mayBeSeenBy(role, definition.blocks)
  return [
    ...states.flatMap((state, at) =>
      state.components.flatMap((component, index) =>
        !seen || seen.inState(state, component) ? useOf(component, `/states/${at}/components/${index}`) : [],
      ),
    ),
    ...globalComponents.flatMap((component, index) =>
      !seen || seen.inAllStates(component) ? useOf(component, `/globalComponents/${index}`) : [],
    ),
  ]
}

function useOf({ type, videoId }: Settings, path: string): VideoUse[] {
  const isUse =
    typeof videoId === 'string' && typeof type === 'string' && componentTypeOf(type).plays !== null
  return isUse ? [{ videoId, path: `${path}/videoId` }] : []
}
