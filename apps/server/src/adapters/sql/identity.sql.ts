import type { SharedSecretStore } from '../../modules/identity/identity.store.ts'
import type { Sql } from './tables.ts'

export const createSharedSecretStore = ({ db }: Sql): SharedSecretStore => ({
  async keepFirst(name, candidate) {
    await db
      .insertInto('shared_secrets')
      .values({ name, value: candidate })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const row = await db
      .selectFrom('shared_secrets')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    return row.value
  },
})
