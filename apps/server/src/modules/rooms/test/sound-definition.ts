import type { ExperimentDefinition } from '@atrium/contract'
import { parseDefinition } from '../../experiments/parse-definition.ts'

type Dropout = NonNullable<ExperimentDefinition['dropout']>

/**
 * A valid definition. `replace_with_agent` cannot be saved without an agent, but rooms of earlier versions have none and
 * must keep working.
 */
export function soundDefinition<Given extends { dropout?: Dropout }>(given: Given): ExperimentDefinition {
  const { dropout } = given
  if (dropout?.policy !== 'replace_with_agent') return parseDefinition(given).study
  const { study: definition } = parseDefinition({ ...given, dropout: { ...dropout, policy: 'wait' } })
  return { ...definition, dropout }
}
