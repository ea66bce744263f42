import type { Plugin } from 'vite'

/** What only the server, the console, bots and the reference read of a component type (ADR 42). */
const notForPages = new Set([
  'agentsCannot',
  'description',
  'evaluate',
  'example',
  'findings',
  'recorded',
  'records',
  'simulated',
])

interface Node {
  type: string
  start: number
  end: number
  [part: string]: unknown
}

const isNode = (part: unknown): part is Node =>
  typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string'

const partsOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

const propertiesOf = (object: unknown): Node[] =>
  isNode(object) && object.type === 'ObjectExpression' ? partsOf(object) : []

const nameOf = (part: unknown): string =>
  isNode(part) && part.type === 'Identifier' ? String(part.name) : ''

/** Sentences, also in what several declarations or schemas share: forms, agents and the reference read them. */
const sentences = new Set(['description', 'records'])

/** What this node holds that pages do without. */
function leftOut(node: Node): Node[] {
  if (node.type === 'CallExpression' && nameOf(node.callee) === 'declareType')
    return propertiesOf(Array.isArray(node.arguments) ? node.arguments[0] : undefined).filter(({ key }) =>
      notForPages.has(nameOf(key)),
    )
  return propertiesOf(node).filter(
    ({ key, value }) => sentences.has(nameOf(key)) && isNode(value) && value.type.endsWith('Literal'),
  )
}

const everyNode = (node: Node): Node[] => [node, ...partsOf(node).flatMap(everyNode)]

/** The same code without these properties; what only they used is then dropped by the bundler. */
function withoutChecks(code: string, parsed: Node): string {
  const cuts = everyNode(parsed)
    .flatMap(leftOut)
    .sort((one, other) => one.start - other.start)
  let kept = ''
  let at = 0
  for (const { start, end } of cuts) {
    if (start < at) continue // Inside another one.
    kept += code.slice(at, start)
    at = code[end] === ',' ? end + 1 : end
  }
  return kept + code.slice(at)
}

/** The pages of participants show components and know what an answer looks like; they neither check studies nor play them. */
export const withoutChecksOfStudies: Plugin = {
  name: 'without-checks-of-studies',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /[\\/]contract[\\/]src[\\/]components[\\/]/ },
    handler(code) {
      const parsed: unknown = this.parse(code)
      return isNode(parsed) ? { code: withoutChecks(code, parsed), map: null } : null
    },
  },
}
