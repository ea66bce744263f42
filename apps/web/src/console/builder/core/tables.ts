import { changedList, changedValue, type Path, withRenamed } from './document.ts'
import { changedParts } from './parts.ts'

/** A property under another name; of a table, with the blocks that play its rows. Expressions name columns and no tables. */
export function withNewName(document: unknown, path: Path, name: string): unknown {
  const renamed = withRenamed(document, path, name)
  const [list, former, ...inside] = path
  if (list !== 'tables' || former === undefined || inside.length > 0 || renamed === document) return renamed
  return changedParts(renamed, (present, part) =>
    changedList(present, [...part, 'blocks'], (block) =>
      changedValue(block, ['trials', 'table'], (table) => (table === former ? name : table)),
    ),
  )
}
