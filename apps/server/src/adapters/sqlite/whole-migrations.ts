import { SqliteAdapter, SqliteDialect } from 'kysely'

/** Kysely runs SQLite migrations without a transaction, but one that moves rows must run completely or not at all. */
export class WholeMigrationsDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new WholeMigrationsAdapter()
  }
}

class WholeMigrationsAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
