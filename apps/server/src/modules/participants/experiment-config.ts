import {
  type ExperimentConfig,
  type ExperimentDefinition,
  isForRole,
  publicComponent,
  type State,
} from '@atrium/contract'

type StateConfig = ExperimentConfig['states'][number]

/**
 * R53: what a participant is told of the definition. No answer keys, nothing that belongs to other roles, and not where the
 * experiment goes from where. A null role is not assigned yet: then only what everyone sees.
 */
export const experimentConfigOf = (
  { name, states, globalComponents, consent }: ExperimentDefinition,
  role: string | null,
): ExperimentConfig => ({
  name,
  states: states.filter((state) => isForRole(state, role)).map((state) => stateConfigOf(state, role)),
  globalComponents: (globalComponents ?? [])
    .filter((component) => isForRole(component, role))
    .map(publicComponent),
  ...(consent && { consent }),
})

/** Named one by one: what is added to states later is not told before somebody has thought of it. */
function stateConfigOf({ id, name, instructions, components, end }: State, role: string | null): StateConfig {
  const visible = components.filter((component) => isForRole(component, role))
  const shown = new Set(visible.map((component) => component.id))
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(instructions === undefined ? {} : { instructions }),
    components: visible.map(publicComponent),
    ...(end && { end: endOf(end, shown) }),
  }
}

/** Without the expression, which may know what participants must not. */
function endOf(end: NonNullable<State['end']>, shown: ReadonlySet<string>): NonNullable<StateConfig['end']> {
  const { on, afterMs } = end
  return {
    on,
    ...(on === 'button' && end.label !== undefined ? { label: end.label } : {}),
    ...(on === 'media_ended' && shown.has(end.componentId) ? { componentId: end.componentId } : {}),
    ...(afterMs === undefined ? {} : { afterMs }),
  }
}
