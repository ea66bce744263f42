import { examplesOwner } from './access.ts'
import type { Experiments } from './experiments.ts'
import { parseDefinition } from './parse-definition.ts'

/**
 * On the first start with an empty embedded database the examples are created and recruit, so that a newcomer can join
 * at once. Every researcher may view and copy them (R37).
 */
export async function loadExamples(experiments: Experiments, examples: Map<string, unknown>): Promise<void> {
  if (!(await experiments.isEmpty())) return
  for (const [experimentId, definition] of examples) {
    await experiments.create(parseDefinition(definition).definition, examplesOwner, { experimentId })
    await experiments.changeStatus(experimentId, 'recruiting', examplesOwner)
  }
}
