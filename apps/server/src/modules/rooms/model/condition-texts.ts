import { type ExperimentDefinition, isForRole } from '@atrium/contract'
import { publicComponent } from '@atrium/contract/components'

/** A text that shows the name itself. Where a text depends on the condition in another way, only its result is shown. */
const insertOfCondition = /\{\{\s*condition\s*(\||\}\})/

/**
 * RM180: by role, whether texts for participants show the name of the condition. `written` has its texts in all languages, so
 * that what one language shows is not missing in another.
 */
export function conditionTextsOf(
  written: Pick<ExperimentDefinition, 'conditions' | 'states' | 'globalComponents'>,
): (role: string) => boolean {
  if (!written.conditions || !insertOfCondition.test(JSON.stringify(written))) return () => false
  const known = new Map<string, boolean>()
  return (role) => {
    const shown = known.get(role) ?? insertOfCondition.test(textsFor(written, role))
    known.set(role, shown)
    return shown
  }
}

const textsFor = (
  { states, globalComponents = [] }: Pick<ExperimentDefinition, 'states' | 'globalComponents'>,
  role: string,
): string =>
  JSON.stringify([
    states
      .filter((state) => isForRole(state, role))
      .map(({ name, instructions, end, components }) => [
        name,
        instructions,
        end?.on === 'button' && end.label,
        components.filter((one) => isForRole(one, role)).map(publicComponent),
      ]),
    globalComponents.filter((one) => isForRole(one, role)).map(publicComponent),
  ])
