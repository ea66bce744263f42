import { assertNever } from '@atrium/contract'
import { fieldReadAt } from './sources.ts'
import type { SyntaxNode } from './syntax.ts'

const writtenByResearchers: ReadonlySet<string> = new Set(['trial', 'condition'])

/**
 * Whether nothing that participants entered can be in the value, but only what stands in the definition and its tables. They
 * may choose among several.
 */
export function isOfStudy(node: SyntaxNode): boolean {
  switch (node.kind) {
    case 'literal':
    case 'fact':
      return true
    case 'variable':
    case 'response':
    case 'responses':
      return false
    case 'list':
      return node.items.every(isOfStudy)
    case 'unary':
      return true
    case 'binary':
      return ['+', '&&', '||'].includes(node.operator) ? isOfStudy(node.left) && isOfStudy(node.right) : true
    case 'choice':
      return isOfStudy(node.yes) && isOfStudy(node.no)
    case 'member': {
      const read = fieldReadAt(node)
      return read ? writtenByResearchers.has(read.source) : isOfStudy(node.object)
    }
    case 'call':
      return (node.name === 'if' ? node.arguments.slice(1) : node.arguments).every(isOfStudy)
    default:
      return assertNever(node)
  }
}
