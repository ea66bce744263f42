import {
  type ExperimentDefinition,
  initialExpressionOf,
  parserFor,
  type State,
  type ValidationIssue,
  Variable,
} from '@atrium/contract'
import { type Names, nodesIn, parseExpression, reservedNames, syntaxIssues } from '@atrium/expressions'
import { maxComputationDepth, orderComputations } from './computations.ts'
import type { DeclaredNames } from './definition-names.ts'
import { finding, pointer } from './findings.ts'

const variableParser = parserFor(Variable)

/** Declarations, what is written to variables, and cycles among computed ones. */
export function checkVariables(definition: ExperimentDefinition, declared: DeclaredNames): ValidationIssue[] {
  return [
    ...declarationIssues(declared),
    ...definition.states.flatMap((state, at) => writeIssues(state, at, declared)),
    ...computationIssues(declared),
  ]
}

function declarationIssues({ variables }: DeclaredNames): ValidationIssue[] {
  return [...variables].flatMap(([name, variable]) => {
    const path = pointer('variables', name)
    if (reservedNames.has(name))
      return [finding(path, `‘${name}’ is reserved in the expression language; choose another name`)]
    // Because of the short form, the definition's schema accepts any value here; hence this second check.
    const parsed = variableParser.parse(variable)
    if (!parsed.ok) return parsed.issues.map((issue) => finding(path + issue.path, issue.message))
    if (variable.compute !== undefined && variable.initial !== undefined)
      return [
        finding(`${path}/initial`, `variable ‘${name}’ is computed, so it cannot have an initial value`),
      ]
    return initialIssues(variable.initial).map((message) => finding(`${path}/initial/expression`, message))
  })
}

const nobody: Names = {
  roomVariables: new Set(),
  participantVariables: new Set(),
  components: new Set(),
  forEach: 'participant',
  mayDraw: true,
}

/** R63: it is made before anybody has done anything. */
function initialIssues(initial: unknown): string[] {
  const text = initialExpressionOf(initial)
  if (text === undefined) return []
  const parsed = parseExpression(text)
  if (!parsed.ok) return [`syntax error at character ${parsed.at + 1}: ${parsed.message}`]
  const { root } = parsed.expression
  const isEarly = [...nodesIn(root)].some(({ kind }) =>
    ['variable', 'response', 'responses', 'fact'].includes(kind),
  )
  return isEarly
    ? [
        'an initial value is set before anything has happened: it can use numbers, texts, lists and functions only',
      ]
    : syntaxIssues(root, nobody)
}

function writeIssues(state: State, at: number, declared: DeclaredNames): ValidationIssue[] {
  const assignments = (['onEnter', 'onEnd'] as const).flatMap((moment) =>
    Object.keys(state[moment] ?? {}).map((name) => ({ name, path: pointer('states', at, moment, name) })),
  )
  const saved = state.components.flatMap(({ saveTo }, index) =>
    saveTo === undefined
      ? []
      : [{ name: saveTo, path: pointer('states', at, 'components', index, 'saveTo') }],
  )
  return [...saved, ...assignments].flatMap(({ name, path }) => {
    const variable = declared.variables.get(name)
    if (!variable) {
      const near = declared.suggest(name, declared.variables.keys())
      return [finding(path, `variable ‘${name}’ does not exist${near ? `; did you mean ‘${near}’?` : ''}`)]
    }
    if (variable.compute === undefined) return []
    return [finding(path, `variable ‘${name}’ is computed and cannot be assigned`)]
  })
}

/** One issue per cycle, at the first of its variables. */
function computationIssues({ variables }: DeclaredNames): ValidationIssue[] {
  const { cycles, order, depth } = orderComputations(variables)
  const issues = cycles.map((cycle) =>
    finding(
      pointer('variables', cycle[0] ?? '', 'compute'),
      `circular computation: ${[...cycle, cycle[0]].join(' → ')}`,
    ),
  )
  if (depth <= maxComputationDepth) return issues
  const message = `depends on a chain of more than ${maxComputationDepth} computed variables`
  return [...issues, finding(pointer('variables', order.at(-1)?.name ?? '', 'compute'), message)]
}
