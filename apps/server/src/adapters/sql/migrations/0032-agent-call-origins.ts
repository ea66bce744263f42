import type { Kysely } from 'kysely'

/** Where an agent was when a model was asked, what was asked for, and what answered. Null for earlier calls. */
export async function up(db: Kysely<never>): Promise<void> {
  const columns = [
    ['state_id', 'text'],
    ['round', 'integer'],
    ['model', 'text'],
    ['served_model', 'text'],
    ['sampling', 'text'],
    ['cost_is_estimated', 'integer'],
  ] as const
  for (const [name, type] of columns)
    await db.schema.alterTable('agent_calls').addColumn(name, type).execute()
}
