import { evaluate } from './evaluate.ts'
import { fieldReadAt } from './sources.ts'
import { nodesIn, type SyntaxNode } from './syntax.ts'
import { isTruthy, type Value } from './value.ts'

/** A part of a page, with what is left of the condition under which it is shown. */
export interface Conditional {
  id: string
  /** A tree that `residualOf` has made, perhaps on a server. */
  when?: object
}

/** The name under which conditions read what is entered on the same page. */
export const enteredSource = 'answers'

/**
 * R61: decides what is shown of a page, by what is entered there now. What is not shown has no answer. `entered` is asked for the
 * answers of parts that are shown alone.
 */
export function createShown(parts: readonly Conditional[], entered: (id: string) => unknown) {
  const byId = new Map(parts.map((part) => [part.id, part]))
  const decided = new Map<string, boolean>()

  function isShown(id: string): boolean {
    const known = decided.get(id)
    if (known !== undefined) return known
    const part = byId.get(id)
    // Conditions that wait for each other are refused on saving; one that slipped through is not met.
    decided.set(id, false)
    const isMet = part !== undefined && (part.when === undefined || holds(part.when))
    decided.set(id, isMet)
    return isMet
  }

  const holds = (when: object): boolean =>
    isTruthy(
      evaluate(
        { text: '', root: when as SyntaxNode },
        {
          ...nothing,
          field: (source, name) =>
            source === enteredSource
              ? isShown(name)
                ? ((entered(name) as Value) ?? null)
                : null
              : undefined,
        },
      ),
    )

  return { isShown, holds }
}

/** The parts of the page on whose answers a condition depends. */
export const answersRead = (when: object): string[] =>
  [...nodesIn(when as SyntaxNode)].flatMap((node) => {
    const read = fieldReadAt(node)
    return read?.source === enteredSource ? [read.name] : []
  })

const nothing = {
  variable: () => undefined,
  response: () => undefined,
  responses: () => [],
  facts: { role: null, condition: null, round: null, visit: 0, state: '', participants: 0, ready: 0 },
}
