import type { Engine } from './engines.ts'

/** Tables with a row that mentions one of these ids. The audit log keeps what was deleted. */
export async function tracesOf({ rows, kind }: Engine, ids: readonly string[]): Promise<string[]> {
  const names = await rows(
    kind === 'sqlite'
      ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
      : 'select table_name as name from information_schema.tables where table_schema = current_schema()',
  )
  const found: string[] = []
  for (const { name } of names) {
    const text = JSON.stringify(await rows(`select * from ${name}`))
    if (name !== 'audit_log' && ids.some((id) => text.includes(id))) found.push(String(name))
  }
  return found.toSorted()
}
