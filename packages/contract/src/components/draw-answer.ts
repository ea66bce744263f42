import type { Random } from '../random.ts'
import type { ComponentView } from '../room/view.ts'
import { componentTypeOf, responseSchemaOf } from './catalogue.ts'
import { drawFromSchema } from './draw-from-schema.ts'

/**
 * A response that fits the component, as a participant sees it; undefined where nothing is asked. It is drawn from the
 * response schema; where that leaves nonsense possible, the declaration of the type makes sense of it.
 */
export function drawAnswer(component: ComponentView, random: Random): unknown {
  const type = componentTypeOf(component.type)
  const schema = responseSchemaOf(component)
  if (!schema || !type.asks(component)) return undefined
  return type.simulated.answer(component, drawFromSchema(schema, random), {
    random,
    from: (other) => drawFromSchema(other, random),
  })
}
