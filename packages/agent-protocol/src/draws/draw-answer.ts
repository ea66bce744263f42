import type { ComponentView, Random } from '@atrium/contract'
import { componentTypeOf, responseSchemaOf, type Settings, targetsOf } from '@atrium/contract/components'
import { drawFromSchema } from './draw-from-schema.ts'

/**
 * A response that fits the component, as a participant sees it; undefined where nothing is asked. It is drawn from the
 * response schema; where that leaves nonsense possible, the declaration of the type makes sense of it.
 */
export function drawAnswer(component: ComponentView, random: Random): unknown {
  const targets = targetsOf(component)
  if (targets)
    return Object.fromEntries(targets.map(({ alias, component: one }) => [alias, drawOne(one, random)]))
  return drawOne(component, random)
}

function drawOne(component: Settings, random: Random): unknown {
  const type = componentTypeOf(String(component.type))
  const schema = responseSchemaOf(component)
  if (!schema || !type.asks(component)) return undefined
  return type.simulated.answer(component, drawFromSchema(schema, random), {
    random,
    from: (other) => drawFromSchema(other, random),
  })
}
