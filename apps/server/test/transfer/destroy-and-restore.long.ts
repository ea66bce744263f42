import { test } from 'vitest'
import { destroyAndRestore } from './destroy-and-restore.ts'

test('[R50] the same on PostgreSQL with an object store', async () => {
  await destroyAndRestore('cluster')
})
