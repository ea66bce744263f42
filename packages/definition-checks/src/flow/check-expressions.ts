import { conditionNamesOf, type ExperimentDefinition, type ValidationIssue } from '@atrium/contract'
import { expressionIssues, fieldReadAt, nodesIn, parseExpression, type SyntaxNode } from '@atrium/expressions'
import { conditionsOfBlocks } from './conditions-of-blocks.ts'
import {
  answeredOn,
  circlesAmongParts,
  conditionsOfParts,
  secretIssues,
  withAnswers,
} from './conditions-of-parts.ts'
import { type DeclaredNames, namesFor, sourcesIn } from './definition-names.ts'
import { type Findings, finding, maxFindings, pointer } from './findings.ts'
import { withEach } from './for-each.ts'
import type { PlacedExpression } from './placed-expression.ts'
import { expressionsInSettings, settingsFromValues, settingValueIssues } from './settings-from-values.ts'

/** Checks every expression of the definition. */
export function checkExpressions(definition: ExperimentDefinition, declared: DeclaredNames): Findings {
  const settings = settingsFromValues(definition)
  const placed = [
    ...expressionsInStates(definition, declared),
    ...conditionsOfParts(definition),
    ...expressionsInSettings(settings),
    ...conditionsOfBlocks(definition, declared),
    ...computations(declared),
  ]
  const errors: ValidationIssue[] = []
  for (const {
    path,
    text,
    isRoomWide,
    mayDraw = false,
    mayReadTime = false,
    page,
    stateId,
    trial,
    component,
  } of placed) {
    if (errors.length >= maxFindings) break
    const names = { ...namesFor(declared, isRoomWide), mayDraw, mayReadTime }
    const here = withEach(sourcesIn(declared, stateId, trial), component)
    const sources = page ? withAnswers(here, page) : here
    for (const message of [
      ...expressionIssues(text, { ...names, sources }),
      ...(page ? secretIssues(text, declared) : []),
    ])
      errors.push(finding(path, message))
  }
  errors.push(...circlesAmongParts(definition), ...settingValueIssues(settings, declared))
  const known = {
    names: new Set(conditionNamesOf(definition)),
    factors: definition.conditions?.factors ?? {},
  }
  return { errors, warnings: placed.flatMap(({ path, text }) => conditionWarnings(path, text, known)) }
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
    const changes = (['cut', 'join'] as const).flatMap((name) => {
      const text = state.rewire?.[name]
      const path = pointer('states', at, 'rewire', name)
      return text === undefined
        ? []
        : [{ path, text, isRoomWide: false, mayDraw: true as const, mayReadTime: true as const }]
    })
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
    return [...ending, ...assignments, ...changes, ...transitions].map((one) => ({
      ...one,
      stateId: state.id,
    }))
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

interface KnownConditions {
  names: ReadonlySet<string>
  factors: Readonly<Record<string, readonly string[]>>
}

/** Warns about `condition == 'x'` if no condition is called x: legal, but never true. The same for the level of a factor. */
function conditionWarnings(path: string, text: string, known: KnownConditions): ValidationIssue[] {
  const parsed = parseExpression(text)
  if (!parsed.ok) return []
  const unknown = [...nodesIn(parsed.expression.root)].flatMap((node) => unknownComparisons(node, known))
  return [...new Set(unknown)].map((what) => finding(path, `${what} does not exist, so this is never equal`))
}

function unknownComparisons(node: SyntaxNode, { names, factors }: KnownConditions): string[] {
  if (node.kind !== 'binary' || (node.operator !== '==' && node.operator !== '!=')) return []
  const sides = [node.left, node.right]
  const texts = sides.flatMap((side) =>
    side.kind === 'literal' && typeof side.value === 'string' ? [side.value] : [],
  )
  return sides.flatMap((side) => {
    if (side.kind === 'fact' && side.name === 'condition')
      return texts.filter((name) => !names.has(name)).map((name) => `condition ‘${name}’`)
    const read = fieldReadAt(side)
    if (read?.source !== 'condition' || !Object.hasOwn(factors, read.name)) return []
    return texts
      .filter((level) => !factors[read.name]?.includes(level))
      .map((level) => `level ‘${level}’ of ‘condition.${read.name}’`)
  })
}
