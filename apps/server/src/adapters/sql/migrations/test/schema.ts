import { type Kysely, sql } from 'kysely'
import { recordTables } from '../migration-record.ts'

interface Column {
  type: string
  mayBeNull: boolean
  /** Whether a row may leave it out. */
  hasDefault: boolean
}

interface Table {
  columns: ReadonlyMap<string, Column>
  /** What rows must satisfy: keys, uniqueness, references, checks. */
  rules: ReadonlySet<string>
}

export type Schema = ReadonlyMap<string, Table>

/** What in `after` breaks statements that were written for `before`, a sentence each. */
export const incompatibilities = (before: Schema, after: Schema): string[] =>
  [...before].flatMap(([name, was]) => {
    const is = after.get(name)
    return is ? tableFaults(name, was, is) : [`${name} is gone`]
  })

function tableFaults(name: string, was: Table, is: Table): string[] {
  const changed = [...was.columns].flatMap(([column, before]) => {
    const after = is.columns.get(column)
    if (!after) return [`${name}.${column} is gone`]
    if (after.type !== before.type) return [`${name}.${column} was ${before.type}, is ${after.type}`]
    if (before.mayBeNull && !after.mayBeNull) return [`${name}.${column} may no longer be null`]
    if (before.hasDefault && !after.hasDefault) return [`${name}.${column} has lost its default`]
    return !before.mayBeNull && after.mayBeNull ? [`${name}.${column} may be null now`] : []
  })
  const added = [...is.columns].flatMap(([column, { mayBeNull, hasDefault }]) =>
    was.columns.has(column) || mayBeNull || hasDefault ? [] : [`${name}.${column} must be given`],
  )
  // A lost rule matters too: `on conflict` names a unique index.
  const lost = without(was.rules, is.rules).map((rule) => `${name} has lost: ${rule}`)
  const gained = without(is.rules, was.rules).map((rule) => `${name} has a new rule: ${rule}`)
  return [...changed, ...added, ...lost, ...gained]
}

const without = (rules: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...rules].filter((rule) => !others.has(rule))

export async function readSchema(engine: 'sqlite' | 'postgres', db: Kysely<never>): Promise<Schema> {
  const tables = await db.introspection.getTables()
  const own = tables.filter(({ name }) => !recordTables.includes(name))
  const rules = await (engine === 'sqlite' ? sqliteRules(db) : postgresRules(db))
  return new Map(
    own.map(({ name, columns }) => [
      name,
      {
        rules: new Set(rules.flatMap((rule) => (rule.table === name ? [rule.rule] : []))),
        columns: new Map(
          columns.map((column) => [
            column.name,
            {
              type: column.dataType.toLowerCase(),
              mayBeNull: column.isNullable,
              hasDefault: column.hasDefaultValue || column.isAutoIncrementing,
            },
          ]),
        ),
      },
    ]),
  )
}

interface Rule {
  table: string
  rule: string
}

/** Unique indexes carry the primary keys as well. */
async function postgresRules(db: Kysely<never>): Promise<Rule[]> {
  const { rows } = await sql<Rule>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as rule
    from pg_constraint where connamespace = current_schema()::regnamespace and contype in ('c', 'f', 'x')
    union all
    select indrelid::regclass::text, regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', 'UNIQUE ')
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indisunique and relnamespace = current_schema()::regnamespace
    union all
    select tgrelid::regclass::text, 'trigger ' || tgname from pg_trigger where not tgisinternal`.execute(db)
  return rows
}

/** SQLite keeps checks only in the text of the table, so this finds them there. */
async function sqliteRules(db: Kysely<never>): Promise<Rule[]> {
  const unique = await sql<Rule>`
    select m.name as "table", 'UNIQUE (' || (select group_concat(name, ', ') from pragma_index_info(i.name)) || ')'
      || case when i.partial then ' of some' else '' end as rule
    from sqlite_master m, pragma_index_list(m.name) i where m.type = 'table' and i."unique"`.execute(db)
  const references = await sql<Rule>`
    select m.name as "table", 'FOREIGN KEY (' || f."from" || ') REFERENCES ' || f."table" as rule
    from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`.execute(db)
  const texts = await sql<{ table: string; text: string }>`
    select tbl_name as "table", sql as text from sqlite_master where type in ('table', 'trigger')`.execute(db)
  const written = texts.rows.flatMap(({ table, text }) =>
    (text.match(/\bcheck\s*\(.*?\)|\bcreate trigger \S+/gi) ?? []).map((rule) => ({ table, rule })),
  )
  return [...unique.rows, ...references.rows, ...written]
}
