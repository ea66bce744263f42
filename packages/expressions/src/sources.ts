import type { SyntaxNode } from './syntax.ts'

/** Something that is read with a dot without being a variable: `self.given`, `condition.frame`. */
export interface Source {
  /** What can be read from it; anything when absent. */
  fields?: ReadonlySet<string>
  /** One of them, for sentences. */
  example: string
  /** What its fields are, as in ‘a participant variable’. */
  of: string
  /** Belongs to one participant. */
  isOwn?: true
  /** Of what it has, what says who somebody is, and therefore stays out of expressions. */
  identifying?: ReadonlySet<string>
  /** Why it cannot be read at this position, as the end of a sentence. */
  refused?: string
  /** Why it cannot be read except by a function that makes one figure of it (R73), as the end of a sentence. */
  onlyInFigures?: string
}

export type Sources = ReadonlyMap<string, Source>

export interface FieldRead {
  source: string
  name: string
}

/** What a node reads, if it is a name with a dot and another name. Whether the first is a source depends on the position. */
export function fieldReadAt(node: SyntaxNode): FieldRead | undefined {
  if (node.kind !== 'member' || node.key.kind !== 'literal' || typeof node.key.value !== 'string')
    return undefined
  const source = sourceNameOf(node.object)
  return source === undefined ? undefined : { source, name: node.key.value }
}

/** The condition is a fact and has factors besides. */
export const sourceNameOf = (node: SyntaxNode): string | undefined =>
  node.kind === 'variable' || (node.kind === 'fact' && node.name === 'condition') ? node.name : undefined
