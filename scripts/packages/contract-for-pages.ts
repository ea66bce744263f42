import type { Plugin } from 'rolldown'

/** A part of a syntax tree, as far as it is read here. */
interface Node {
  type: string
  start: number
  end: number
  [part: string]: unknown
}

/** What a caller needs of a route. The rest documents it, and the server checks it. */
const partsOfRoute = ['method', 'path', 'envelope']

/** What only researchers, the reference and simulated participants need of a component type. */
const forResearchers = [
  ...['description', 'place', 'records', 'example', 'agentsCannot'],
  ...['findings', 'simulated'],
]

/** These take their options first; all other schemas take what they are made of first. */
const plainSchemas = ['Boolean', 'Integer', 'Null', 'Number', 'String', 'Unknown']

/** Words of a schema, which explain it. */
const words = ['title', 'description']

/**
 * The contract as the pages of participants need it: which answers fit and how to call the platform, without the words
 * that explain it to researchers. Schemas that nothing uses are left out, because making one has no effects. The
 * contract stays as it is; a test compares what is left with it.
 */
export function contractForPages() {
  let hasSeenContract = false
  return {
    name: 'contract-for-pages',
    buildStart() {
      hasSeenContract = false
    },
    transform(this: { parse(code: string, options: { lang: 'ts' }): object }, code: string, id: string) {
      if (!/[\\/]packages[\\/]contract[\\/]src[\\/][^?]*\.ts$/.test(id)) return null
      hasSeenContract = true
      return { code: changed(code, changesIn(this.parse(code, { lang: 'ts' }) as Node)), map: null }
    },
    buildEnd(error?: Error) {
      if (!error && !hasSeenContract) throw new Error('The contract has moved: pages would load all of it.')
    },
  } satisfies Plugin
}

interface Change {
  start: number
  end: number
  text: string
}

function changesIn(program: Node): Change[] {
  const changes: Change[] = []
  const gone = new Set<Node>()
  function look(node: Node, isLoading: boolean): void {
    if (gone.has(node)) return
    // The package has no side effects, so what its modules call while they load has none either.
    if (isCall(node) && isLoading)
      changes.push({ start: node.start, end: node.start, text: '/* @__PURE__ */ ' })
    for (const { part, ...change } of partsToChange(node)) {
      gone.add(part)
      changes.push(change)
    }
    const isStillLoading = isLoading && !/Function/.test(node.type)
    for (const part of partsOf(node)) look(part, isStillLoading)
  }
  look(program, true)
  return changes
}

const isCall = ({ type }: Node): boolean => type === 'CallExpression' || type === 'NewExpression'

function partsToChange(node: Node): (Change & { part: Node })[] {
  if (isCall(node)) return partsOfCall(node)
  // The server sends its sentences with its errors; pages only have to know the codes.
  return without(node, (property) => property === 'sentence')
}

function partsOfCall(call: Node): (Change & { part: Node })[] {
  const given = call.arguments as Node[]
  const { owner, name } = nameOf(call.callee as Node)
  const [first] = given
  if (name === 'defineRoute') return without(first, (property) => !partsOfRoute.includes(property))
  if (name === 'declareType')
    return without(first, (property) =>
      property === 'evaluate' ? !isJudgedInPage(first) : forResearchers.includes(property),
    )
  if (owner === 'Type') {
    const options = given.slice(plainSchemas.includes(name) ? 0 : 1)
    return options.flatMap((each) => without(each, (property) => words.includes(property)))
  }
  // The contract’s own schemas, such as `Text('Label', 200, 'Text next to it')`: their texts are words too.
  if (owner === undefined && /^[A-Z]|^titled$/.test(name) && !(name in globalThis))
    return given
      .filter(({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string')
      .map((part) => ({ part, start: part.start, end: part.end, text: "''" }))
  return []
}

/** The server decides about answers. Only to a researcher’s own page, ours says at once that one is too large. */
const isJudgedInPage = (declaration: Node | undefined): boolean =>
  ((declaration?.properties ?? []) as { key?: Node; value?: Node }[]).some(
    ({ key, value }) => key?.name === 'type' && value?.value === 'custom_html',
  )

function nameOf(callee: Node): { owner?: string; name: string } {
  const { type, name, object, property } = callee as Node & { name: string; object: Node; property: Node }
  return type === 'MemberExpression'
    ? { owner: String(object.name), name: String(property.name) }
    : { name: String(name) }
}

/** The properties of an object that are left out, each with the comma after it. */
function without(object: Node | undefined, isLeftOut: (property: string) => boolean) {
  if (object?.type !== 'ObjectExpression') return []
  const properties = object.properties as Node[]
  return properties.flatMap((part, index) => {
    const name = (part.key as Node | undefined)?.name
    if (typeof name !== 'string' || !isLeftOut(name)) return []
    return [{ part, start: part.start, end: properties[index + 1]?.start ?? object.end - 1, text: '' }]
  })
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const partsOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

/** Changes do not overlap: nothing is looked for in what is gone. */
function changed(code: string, changes: Change[]): string {
  let end = 0
  const pieces = changes
    .toSorted((one, other) => one.start - other.start || one.end - other.end)
    .map((change) => {
      const piece = code.slice(end, change.start) + change.text
      end = change.end
      return piece
    })
  return [...pieces, code.slice(end)].join('')
}
