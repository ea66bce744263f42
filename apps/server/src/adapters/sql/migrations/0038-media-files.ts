import type { Kysely } from 'kysely'

/** Uploaded pictures and sounds, and which revision of which experiment uses them, by id or by name. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('media_files')
    .addColumn('media_id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('stored_at', 'bigint')
    .addColumn('removed_at', 'bigint')
    .execute()
  // A name means one file of its owner; a deleted one gives its name back.
  await db.schema
    .createIndex('media_files_by_name')
    .unique()
    .on('media_files')
    .columns(['owner', 'name'])
    .where('removed_at' as never, 'is', null)
    .execute()
  await db.schema
    .createIndex('media_files_by_age')
    .on('media_files')
    .columns(['created_at', 'media_id'])
    .execute()
  await db.schema
    .createIndex('media_files_unfinished')
    .on('media_files')
    .columns(['created_at', 'media_id'])
    .where('stored_at' as never, 'is', null)
    .execute()
  await db.schema
    .createIndex('media_files_removed')
    .on('media_files')
    .columns(['removed_at', 'media_id'])
    .where('removed_at' as never, 'is not', null)
    .execute()
  await db.schema
    .createTable('experiment_media')
    .addColumn('experiment_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('media_id', 'text', (column) => column.notNull().references('media_files.media_id'))
    // As the revision calls it, whatever its owner calls it later; empty where it is named by its id.
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('experiment_media_key', ['experiment_id', 'revision', 'media_id', 'name'])
    .execute()
  await db.schema
    .createIndex('experiment_media_by_file')
    .on('experiment_media')
    .columns(['media_id', 'experiment_id', 'revision'])
    .execute()
}
