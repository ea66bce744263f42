import type { SharedSecretStore } from '../../modules/identity/identity.store.ts'
import type { Sql } from './tables.ts'

export const createSharedSecretStore = ({ db }: Sql): SharedSecretStore => {
  const named = (name: string) => db.selectFrom('shared_secrets').select('value').where('name', '=', name)
  return {
    async keepFirst(name, candidate) {
      await db
        .insertInto('shared_secrets')
        .values({ name, value: candidate })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return (await named(name).executeTakeFirstOrThrow()).value
    },
    find: async (name) => (await named(name).executeTakeFirst())?.value,
  }
}
