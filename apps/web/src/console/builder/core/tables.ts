import { changedList, changedValue, type Path, withRenamed } from './document.ts'

/** A property under another name; of a table, with the blocks that play its rows. Expressions name columns and no tables. */
export function withNewName(document: unknown, path: Path, name: string): unknown {
  const renamed = withRenamed(document, path, name)
  const [list, former, ...inside] = path
  if (list !== 'tables' || former === undefined || inside.length > 0 || renamed === document) return renamed
  return changedList(renamed, ['blocks'], (block) =>
    changedValue(block, ['trials', 'table'], (table) => (table === former ? name : table)),
  )
}
