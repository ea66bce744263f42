import {
  changeComponentTexts,
  type ExperimentConfig,
  type ExperimentDefinition,
  isForRole,
  languagesOf,
  preferredLanguage,
  type State,
  tableIdsIn,
} from '@atrium/contract'
import { mediaUsesIn, publicComponent } from '@atrium/contract/components'
import { textBeforeValues } from '@atrium/expressions'

type StateConfig = ExperimentConfig['states'][number]

/**
 * R53: the part of the definition that a participant may know. No answer keys, nothing of other roles, no transitions.
 * A null role is not assigned yet: then only what everybody sees. Values in texts are known only in the room, which sends
 * the texts with them; here is what can be shown before. The expressions stay secret like all others.
 */
export const experimentConfigOf = (
  definition: ExperimentDefinition,
  role: string | null,
  language?: string,
): ExperimentConfig => {
  const { name, states, globalComponents, consent, withdrawal, paradata, appearance } = definition
  return {
    name,
    language: preferredLanguage(languagesOf(definition), language === undefined ? [] : [language]),
    states: states.filter((state) => isForRole(state, role)).map((state) => stateConfigOf(state, role)),
    globalComponents: (globalComponents ?? [])
      .filter((component) => isForRole(component, role))
      .map(shownComponent),
    ...(consent && { consent }),
    ...(withdrawal && { withdrawal }),
    ...(paradata && { paradata }),
    ...(appearance && { appearance }),
    ...(mayShowFiles(definition) && { mayShowFiles: true }),
  }
}

const known = new WeakMap<ExperimentDefinition, boolean>()

/** R67: what settings take from values is known only in the room. Uploaded tables are not read for this. */
function mayShowFiles(definition: ExperimentDefinition): boolean {
  const may =
    known.get(definition) ?? (tableIdsIn(definition).length > 0 || mediaUsesIn(definition).length > 0)
  known.set(definition, may)
  return may
}

function shownComponent(component: object) {
  const { when: _undecided, ...shown } = publicComponent({ ...component })
  return changeComponentTexts(shown, (text, { format }) =>
    typeof text === 'string' && format !== 'html' ? textBeforeValues(text) : text,
  )
}

/** Listed one by one, so that new settings of states are not revealed before somebody has decided so. */
function stateConfigOf({ id, name, instructions, components, end }: State, role: string | null): StateConfig {
  const visible = components.filter((component) => isForRole(component, role))
  const shown = new Set(visible.map((component) => component.id))
  return {
    id,
    ...(name === undefined ? {} : { name: textBeforeValues(name) }),
    ...(instructions === undefined ? {} : { instructions: textBeforeValues(instructions) }),
    components: visible.map(shownComponent),
    ...(end && { end: endOf(end, shown) }),
  }
}

/** Without the expression, which may reveal what participants must not know. */
function endOf(end: NonNullable<State['end']>, shown: ReadonlySet<string>): NonNullable<StateConfig['end']> {
  const { on, afterMs } = end
  return {
    on,
    ...(on === 'button' && end.label !== undefined ? { label: textBeforeValues(end.label) } : {}),
    ...(on === 'media_ended' && shown.has(end.componentId) ? { componentId: end.componentId } : {}),
    ...(afterMs === undefined ? {} : { afterMs }),
  }
}
