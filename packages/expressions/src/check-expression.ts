import { assertNever } from '@atrium/contract'
import { nearestName, type Suggest } from '@atrium/contract/components'
import { drawFunctions } from './draws.ts'
import { parseExpression } from './expression.ts'
import { figureFunctions, functions } from './functions.ts'
import { fieldIssues, type ResponseForms } from './response-fields.ts'
import { fieldReadAt, type Sources, sourceNameOf } from './sources.ts'
import { typeIssues } from './static-types.ts'
import { nodesIn, reservedNames, type SyntaxNode } from './syntax.ts'

/** What an expression may refer to at its position in the definition. */
export interface Names {
  roomVariables: ReadonlySet<string>
  participantVariables: ReadonlySet<string>
  components: ReadonlySet<string>
  /** What responses look like; unknown when absent. */
  responseForms?: ResponseForms
  /** Components that take no responses; none when absent. */
  silent?: ReadonlySet<string>
  /** `room`: computed once for several people, so it cannot refer to one participant's own values. */
  forEach: 'room' | 'participant'
  /** Each participant has a condition of their own. */
  hasOwnConditions?: boolean
  /** Its value is set once, so that it may depend on chance. */
  mayDraw?: boolean
  /** It is evaluated at one moment, so that it may ask how long the state has lasted. */
  mayReadTime?: boolean
  /** What can be read with a dot; a variable of that name comes first. */
  sources?: Sources
  /** Suggests a similar name; by default the nearest. */
  suggest?: Suggest
}

/** The problems of an expression, as sentences. */
export function expressionIssues(text: string, names: Names): string[] {
  const parsed = parseExpression(text)
  if (!parsed.ok) return [`syntax error at character ${parsed.at + 1}: ${parsed.message}`]
  return syntaxIssues(parsed.expression.root, names)
}

/** The same for an expression that has been parsed. */
export function syntaxIssues(root: SyntaxNode, names: Names): string[] {
  const inFigures = new Set([...nodesIn(root)].flatMap(listOfFigure))
  const sentences = distinctMentions(root, names).flatMap((node) => [
    ...nodeIssues(node, names),
    ...(node.kind === 'member' && !inFigures.has(node) ? listIssues(node, names) : []),
  ])
  return [...new Set([...sentences, ...typeIssues(root)])]
}

/** Without the repetitions of a name, each of which would look through all others for what was meant. */
function distinctMentions(root: SyntaxNode, names: Names): SyntaxNode[] {
  const mentioned = new Set<string>()
  const nodes = [...nodesIn(root)]
  const sources = new Set(
    nodes.flatMap((node) => (node.kind === 'member' && isFieldRead(node, names) ? [node.object] : [])),
  )
  return nodes.filter((node) => {
    if (sources.has(node)) return false
    const name = 'name' in node ? node.name : 'componentId' in node ? node.componentId : undefined
    if (name === undefined || node.kind === 'call') return true
    const key = `${node.kind} ${name}`
    return !mentioned.has(key) && mentioned.add(key)
  })
}

function nodeIssues(node: SyntaxNode, names: Names): string[] {
  switch (node.kind) {
    case 'variable':
      return variableIssues(node.name, names)
    case 'response':
    case 'responses':
      return responseIssues(node, names)
    case 'fact':
      return names.forEach === 'room' && isOwnFact(node.name, names)
        ? [`‘${node.name}’ belongs to one participant, but this is computed once for the whole room`]
        : []
    case 'call':
      return [...callIssues(node.name, node.arguments.length, names), ...objectIssues(node, names)]
    case 'member':
      if (isFieldRead(node, names)) return sourceIssues(node, names)
      if (node.object.kind === 'fact' && node.object.name === 'condition') return [noFactors]
      return names.responseForms ? fieldIssues(node, names.responseForms) : []
    case 'literal':
    case 'list':
    case 'unary':
    case 'binary':
    case 'choice':
      return []
    default:
      return assertNever(node)
  }
}

const isOwnFact = (name: string, { hasOwnConditions = false }: Names): boolean =>
  name === 'role' || (name === 'condition' && hasOwnConditions)

type Member = Extract<SyntaxNode, { kind: 'member' }>

/** The list that a figure is made of. */
const listOfFigure = (node: SyntaxNode): readonly SyntaxNode[] =>
  node.kind === 'call' && figureFunctions.has(node.name) ? node.arguments.slice(0, 1) : []

function listIssues(node: Member, { sources }: Names): string[] {
  const read = fieldReadAt(node)
  const reason = read && sources?.get(read.source)?.onlyInFigures
  return reason === undefined ? [] : [`‘${read?.source}.${read?.name}’ is a list here, and ${reason}`]
}

const isFieldRead = ({ object }: Member, { sources }: Names): boolean =>
  sources?.has(sourceNameOf(object) ?? '') ?? false

function sourceIssues({ object, key }: Member, { sources, forEach, suggest = nearestName }: Names): string[] {
  const name = sourceNameOf(object) ?? ''
  const source = sources?.get(name)
  if (!source) return []
  if (key.kind !== 'literal' || typeof key.value !== 'string')
    return [`‘${name}’ needs the name of ${source.of}, as in ${name}.${source.example}`]
  const written = `${name}.${key.value}`
  if (source.refused) return [`‘${written}’ cannot be used here: ${source.refused}`]
  if (source.isOwn && forEach === 'room')
    return [
      `‘${written}’ is different for each participant, but this is computed once for the whole room; use a room variable, or responses.x for everyone’s responses`,
    ]
  if (source.identifying?.has(key.value))
    return [`‘${written}’ says who somebody is, so it is kept apart from the data and cannot be read here`]
  if (source.fields?.has(key.value) ?? true) return []
  return [
    `‘${key.value}’ is not ${source.of}, so ‘${written}’ does not exist${suggestion(suggest(key.value, source.fields ?? []))}`,
  ]
}

const noFactors =
  'a condition has no items or fields; only conditions with factors have those, as in condition.frame'

/** R63: unless a variable is called so, the milliseconds since the state was entered. */
export const elapsedTime = 'elapsedMs'
const onlyAtMoments =
  'changes all the time, so it can be read only in onEnd and in the transitions of a state; set a variable there, or give the state a deadline with afterMs'

function variableIssues(name: string, names: Names): string[] {
  const { roomVariables, participantVariables, forEach, suggest = nearestName, sources } = names
  if (participantVariables.has(name))
    return forEach === 'room'
      ? [
          `‘${name}’ is a participant variable, but this is computed once for the whole room; ` +
            'use a room variable, or responses.x for everyone’s responses',
        ]
      : []
  if (roomVariables.has(name)) return []
  if (name === elapsedTime) return names.mayReadTime ? [] : [`‘${name}’ ${onlyAtMoments}`]
  const source = sources?.get(name)
  if (source) return [`‘${name}’ needs the name of ${source.of}, as in ${name}.${source.example}`]
  const instead = Object.hasOwn(insteadOf, name) ? insteadOf[name] : undefined
  return [
    `variable ‘${name}’ does not exist${instead ? `; ${instead}` : suggestion(suggest(name, allNames(names)))}`,
  ]
}

const ownValues =
  'what belongs to a participant is a participant variable, written by its name alone; there are also role, condition, round and visit'

/** Names that other tools have for what is called something else here. */
const insteadOf: Readonly<Record<string, string>> = {
  participant: ownValues,
  player: ownValues,
  subject: ownValues,
  user: ownValues,
  me: ownValues,
  session: ownValues,
  group: 'what belongs to the room is a room variable, written by its name alone',
  room: 'what belongs to the room is a room variable, written by its name alone',
  variables: 'a variable is written by its name alone',
  answers: 'it can be used in ‘when’ only; here, use response.x, the participant’s response to component x',
}

function* allFunctions(): Generator<string> {
  yield* functions.keys()
  yield* drawFunctions.keys()
}

/** Functions that other tools have under another name, or in another form. */
const otherFunctions: Readonly<Record<string, string>> = {
  if: 'if(test, yes, no)',
  random: 'drawInt(1, 6) or drawNumber(0, 1)',
  rand: 'drawInt(1, 6) or drawNumber(0, 1)',
  randint: 'drawInt(1, 6)',
  randomInt: 'drawInt(1, 6)',
  choice: 'draw(list)',
  ifelse: 'if(test, yes, no)',
  iif: 'if(test, yes, no)',
  average: 'mean(list)',
  avg: 'mean(list)',
  std: 'sd(list)',
  stdev: 'sd(list)',
  stddev: 'sd(list)',
  size: 'length(list)',
  len: 'length(list)',
  ln: 'log(x)',
  power: 'pow(x, power)',
  push: 'append(list, x)',
  indexOf: 'index(list, x)',
  includes: 'contains(list, x)',
  concat: 'join(list)',
  not: '!x',
  and: 'a && b',
  or: 'a || b',
}

/** One after the other, because after the first mistakes nobody asks for them. */
function* allNames({ roomVariables, participantVariables }: Names): Generator<string> {
  yield* roomVariables
  yield* participantVariables
  yield* reservedNames
}

function responseIssues(
  { kind, componentId }: { kind: 'response' | 'responses'; componentId: string },
  { components, silent, forEach, suggest = nearestName }: Names,
): string[] {
  if (!components.has(componentId)) {
    const near = nearestComponent(componentId, components, suggest)
    return [`component ‘${componentId}’ does not exist${suggestion(near && written(kind, near))}`]
  }
  if (silent?.has(componentId))
    return [
      `component ‘${componentId}’ does not accept responses, so ‘${written(kind, componentId)}’ is always empty`,
    ]
  if (kind === 'responses' || forEach === 'participant') return []
  return [
    `‘${written(kind, componentId)}’ is one participant’s response, but this is computed once for the whole room; ` +
      `use ${written('responses', componentId)}`,
  ]
}

const onlyOnce =
  'is drawn only where a value is set once: in onEnter and onEnd of a state, and in {"expression": "…"} as the initial value of a variable; draw it there, and use the variable here'

function callIssues(name: string, given: number, { mayDraw, suggest = nearestName }: Names): string[] {
  const drawn = drawFunctions.get(name)
  if (drawn && !mayDraw) return [`‘${name}’ ${onlyOnce}`]
  const known = drawn ?? functions.get(name)
  if (!known && Object.hasOwn(otherFunctions, name))
    return [`there is no function ‘${name}’ of this form; use ${otherFunctions[name]}`]
  if (!known) return [`function ‘${name}’ does not exist${suggestion(suggest(name, allFunctions()))}`]
  if (given >= known.minArguments && given <= known.maxArguments) return []
  return [`‘${name}’ does not accept ${given} ${given === 1 ? 'argument' : 'arguments'}; use ${known.usage}`]
}

/** Functions of lists take no objects, such as answers by alias: `values` makes a list of one. */
function objectIssues({ name, arguments: given }: Call, { responseForms }: Names): string[] {
  const [first] = given
  const [parameter] = functions.get(name)?.parameters ?? []
  if (first?.kind !== 'response' || (parameter !== 'numbers' && parameter !== 'list')) return []
  const forms = responseForms?.(first.componentId) ?? []
  if (forms.length === 0 || !forms.every(({ type }) => type === 'object')) return []
  const answer = written('response', first.componentId)
  return [
    `‘${name}’ needs a list, and ‘${answer}’ has several answers by name; use ${name}(values(${answer}))`,
  ]
}

type Call = Extract<SyntaxNode, { kind: 'call' }>

const suggestion = (name: string | undefined): string => (name ? `; did you mean ‘${name}’?` : '')

const written = (kind: 'response' | 'responses', id: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(id) ? `${kind}.${id}` : `${kind}['${id.replace(/['\\]/g, '\\$&')}']`

/** `response.mood-score` is parsed as a subtraction, so an id that continues with a dash counts as similar. */
const nearestComponent = (wanted: string, known: ReadonlySet<string>, suggest: Suggest): string | undefined =>
  suggest(wanted, known) ?? [...known].find((id) => id.startsWith(`${wanted}-`))
