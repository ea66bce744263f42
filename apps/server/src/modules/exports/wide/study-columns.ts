import { type ColumnType, type ExportColumn, snakeName } from '@atrium/contract'

/** A wider table is of no use to anyone, and each row costs as many cells. */
export const maxColumns = 2_000

/** The columns that a table has of the study, besides the declared ones: what has the same key shares a column. */
export function createStudyColumns(
  declared: readonly ExportColumn[],
  { ofMixed, tooWide }: { ofMixed: ColumnType; tooWide: () => Error },
) {
  const taken = new Set(declared.flatMap(({ name }) => [name, snakeName(name)]))
  const byKey = new Map<string, ExportColumn>()

  /** Readers differ in whether upper and lower case are the same, so names differ in more than that. */
  function freeName(wanted: string): string {
    const plain = wanted.replace(/[^\p{L}\p{N}_]/gu, '_')
    for (let copy = 1; ; copy++) {
      const name = copy === 1 ? plain : `${plain}__${copy}`
      if (taken.has(name.toLowerCase())) continue
      taken.add(name.toLowerCase())
      return name
    }
  }

  return {
    /** If revisions differ in the type, it is `ofMixed`. */
    columnFor(key: string, wanted: ExportColumn): { column: ExportColumn; isNew: boolean } {
      const known = byKey.get(key)
      if (known && known.type !== wanted.type) known.type = ofMixed
      if (known) return { column: known, isNew: false }
      const column = { ...wanted, name: freeName(wanted.name) }
      byKey.set(key, column)
      if (declared.length + byKey.size > maxColumns) throw tooWide()
      return { column, isNew: true }
    },
  }
}
