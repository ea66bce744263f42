import type { ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import { expressionIssues, nodesIn, parseExpression, type SyntaxNode } from '@atrium/expressions'
import {
  answeredOn,
  circlesAmongParts,
  conditionsOfParts,
  secretIssues,
  withAnswers,
} from './conditions-of-parts.ts'
import { type DeclaredNames, namesFor } from './definition-names.ts'
import { type Findings, finding, maxFindings, pointer } from './findings.ts'

export interface PlacedExpression {
  path: string
  text: string
  /** Computed once for several people. */
  isRoomWide: boolean
  /** Its value is set once. */
  mayDraw?: true
  /** It is evaluated at one moment. */
  mayReadTime?: true
  /** R61: components of the same page, whose answers it can read. */
  page?: ReadonlySet<string>
}

/** Checks every expression of the definition. */
export function checkExpressions(definition: ExperimentDefinition, declared: DeclaredNames): Findings {
  const placed = [
    ...expressionsInStates(definition, declared),
    ...conditionsOfParts(definition),
    ...computations(declared),
  ]
  const errors: ValidationIssue[] = []
  for (const { path, text, isRoomWide, mayDraw = false, mayReadTime = false, page } of placed) {
    if (errors.length >= maxFindings) break
    const names = { ...namesFor(declared, isRoomWide), mayDraw, mayReadTime }
    const sources = page ? withAnswers(declared.sources, page) : declared.sources
    for (const message of [
      ...expressionIssues(text, { ...names, sources }),
      ...(page ? secretIssues(text, declared) : []),
    ])
      errors.push(finding(path, message))
  }
  errors.push(...circlesAmongParts(definition))
  const conditions = new Set(definition.conditions?.values)
  return { errors, warnings: placed.flatMap(({ path, text }) => conditionWarnings(path, text, conditions)) }
}

function expressionsInStates({ states }: ExperimentDefinition, declared: DeclaredNames): PlacedExpression[] {
  const { movesTogether, participantVariables } = declared
  return states.flatMap(({ end, next = [], ...state }, at) => {
    const page = answeredOn(state.components)
    const assignments = (['onEnter', 'onEnd'] as const).flatMap((moment) =>
      Object.entries(state[moment] ?? {}).map(([name, text]) => ({
        path: pointer('states', at, moment, name),
        text,
        isRoomWide: movesTogether && !participantVariables.has(name),
        mayDraw: true as const,
        ...(moment === 'onEnd' && { mayReadTime: true as const }),
      })),
    )
    const transitions = next.flatMap(({ when }, index) =>
      when === undefined
        ? []
        : [
            {
              path: pointer('states', at, 'next', index, 'when'),
              text: when,
              isRoomWide: movesTogether,
              mayReadTime: true as const,
              page,
            },
          ],
    )
    const ending =
      end?.on === 'condition'
        ? [{ path: pointer('states', at, 'end', 'when'), text: end.when, isRoomWide: movesTogether }]
        : []
    return [...ending, ...assignments, ...transitions]
  })
}

/** Everyone reads a computed room variable, so in a group it cannot refer to one participant. */
const computations = ({ variables, participantVariables, isGroup }: DeclaredNames): PlacedExpression[] =>
  [...variables].flatMap(([name, { compute }]) =>
    typeof compute === 'string'
      ? [
          {
            path: pointer('variables', name, 'compute'),
            text: compute,
            isRoomWide: isGroup && !participantVariables.has(name),
          },
        ]
      : [],
  )

/** Warns about `condition == 'x'` if no condition is called x: legal, but never true. */
function conditionWarnings(path: string, text: string, declared: ReadonlySet<string>): ValidationIssue[] {
  const parsed = parseExpression(text)
  if (!parsed.ok) return []
  const unknown = [...nodesIn(parsed.expression.root)]
    .flatMap(comparedConditions)
    .filter((name) => !declared.has(name))
  return [...new Set(unknown)].map((name) =>
    finding(path, `condition ‘${name}’ does not exist, so this is never equal`),
  )
}

function comparedConditions(node: SyntaxNode): string[] {
  if (node.kind !== 'binary' || (node.operator !== '==' && node.operator !== '!=')) return []
  const sides = [node.left, node.right]
  if (!sides.some((side) => side.kind === 'fact' && side.name === 'condition')) return []
  return sides.flatMap((side) =>
    side.kind === 'literal' && typeof side.value === 'string' ? [side.value] : [],
  )
}
