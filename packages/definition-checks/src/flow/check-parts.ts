import type { ExperimentDefinition, Matching, ValidationIssue } from '@atrium/contract'
import { type Names, nodesIn, parseExpression, type SyntaxNode, syntaxIssues } from '@atrium/expressions'
import { type DeclaredNames, declaredNamesOf } from './definition-names.ts'
import { type Findings, finding, pointer } from './findings.ts'

/** Whether people have answered anything before they wait for this group. */
export type Moment = 'first' | 'later'

/** M24, M25: what matching reads is known of each person before there is a room. */
export function checkParts(
  definition: ExperimentDefinition,
  declared: DeclaredNames,
  moment: Moment = 'first',
): Findings {
  const { matching } = definition
  return {
    errors: [
      ...(matching?.compose ?? []).flatMap(({ when }, index) =>
        issuesOf(when, declared, moment).map((message) =>
          finding(pointer('matching', 'compose', index, 'when'), message),
        ),
      ),
      ...(moment === 'later' && matching ? namesIn(matching) : []).flatMap(({ name, path }) =>
        isComputed(name, declared) ? [finding(path, computedHere(name))] : [],
      ),
    ],
    warnings: matching ? ambiguousNames(definition, matching, declared, moment) : [],
  }
}

/** The parts of a group that is to be tried, perhaps in a stage that does not exist yet. */
export const partIssues = (definition: ExperimentDefinition): ValidationIssue[] =>
  checkParts(definition, declaredNamesOf(definition), 'later').errors

function issuesOf(text: string, declared: DeclaredNames, moment: Moment): string[] {
  const parsed = parseExpression(text)
  if (!parsed.ok) return [`syntax error at character ${parsed.at + 1}: ${parsed.message}`]
  const { root } = parsed.expression
  const own = [...nodesIn(root)].flatMap((node) => ofNobody(node, declared, moment))
  return [...new Set([...own, ...syntaxIssues(root, namesOfPeople(declared))])]
}

/** What is read that does not belong to a person, or not yet. */
function ofNobody(node: SyntaxNode, declared: DeclaredNames, moment: Moment): string[] {
  switch (node.kind) {
    case 'variable':
      if (declared.roomVariables.has(node.name))
        return [`‘${node.name}’ is a room variable, and ${beforeTheRoom}; use a participant variable`]
      if (isComputed(node.name, declared)) return [computedHere(node.name)]
      return moment === 'first' && declared.participantVariables.has(node.name)
        ? [
            `‘${node.name}’ is still the same for everybody: before the first room, nobody has answered anything; use a field of the link, as in metadata.${node.name}`,
          ]
        : []
    case 'fact':
      return [`‘${node.name}’ belongs to a room, and ${beforeTheRoom}`]
    case 'response':
    case 'responses':
      return [
        `‘${node.kind}.${node.componentId}’ belongs to a room, and ${beforeTheRoom}; give the question ‘saveTo’ and name that participant variable here`,
      ]
    default:
      return []
  }
}

/** People bring what was assigned to them. */
const isComputed = (name: string, { variables }: DeclaredNames): boolean =>
  variables.get(name)?.compute !== undefined

const computedHere = (name: string): string =>
  `‘${name}’ is computed in a room, and ${beforeTheRoom}; assign its value to another variable in ‘onEnd’, and name that here`

const beforeTheRoom = 'people are matched before they have one'

/** Everything that exists has been looked at by itself. */
const namesOfPeople = ({
  variables,
  participantVariables,
  components,
  sources,
  suggest,
}: DeclaredNames): Names => ({
  roomVariables: new Set(variables.keys()),
  participantVariables,
  components,
  sources: new Map(
    [...sources].map(([name, source]) => [
      name,
      name === 'metadata' ? source : { ...source, refused: `${beforeTheRoom}; use metadata.x or a variable` },
    ]),
  ),
  forEach: 'participant',
  suggest,
})

/** A name without a dot can mean a variable or a field of the link. */
function ambiguousNames(
  definition: ExperimentDefinition,
  matching: Matching,
  { participantVariables }: DeclaredNames,
  moment: Moment,
): ValidationIssue[] {
  const written = moment === 'later' ? JSON.stringify(definition) : ''
  return namesIn(matching).flatMap(({ name, path }) => {
    if (!participantVariables.has(name)) return []
    if (moment === 'first')
      return [
        finding(
          path,
          `‘${name}’ is taken for a field of the link, not for the participant variable: before the first room, nobody has answered anything`,
        ),
      ]
    return written.includes(`metadata.${name}`)
      ? [
          finding(
            path,
            `‘${name}’ is taken for the participant variable, not for the field of the link that the study reads as metadata.${name}`,
          ),
        ]
      : []
  })
}

const namesIn = ({ filters = [], balance = [], exclusions = [] }: Matching) => [
  ...filters.map(({ attribute }, at) => ({
    name: attribute,
    path: pointer('matching', 'filters', at, 'attribute'),
  })),
  ...balance.map((name, at) => ({ name, path: pointer('matching', 'balance', at) })),
  ...exclusions.flatMap((rule, at) =>
    typeof rule === 'string'
      ? []
      : [
          {
            name: 'same' in rule ? rule.same : rule.different,
            path: pointer('matching', 'exclusions', at),
          },
        ],
  ),
]
