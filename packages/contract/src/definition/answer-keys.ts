import { componentTypeOf } from '../components/catalogue.ts'
import type { Settings } from '../components/component-type.ts'
import { withoutSecrets } from '../components/public.ts'
import type { ExperimentDefinition } from './definition.ts'

/** The definition without the settings that its components keep secret from participants: what counts as correct. */
export function withoutAnswerKeys(definition: ExperimentDefinition): ExperimentDefinition {
  const { states, globalComponents } = definition
  return {
    ...definition,
    states: states.map((state) => ({ ...state, components: state.components.map(withoutKey) })),
    ...(globalComponents && { globalComponents: globalComponents.map(withoutKey) }),
  }
}

function withoutKey<Component extends Settings & { type: string }>(component: Component): Component {
  const secrets = componentTypeOf(component.type).secret.map((path) => path.split('/'))
  return withoutSecrets(component, secrets) as Component
}
