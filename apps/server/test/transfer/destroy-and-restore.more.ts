import { test } from 'vitest'
import { destroyAndRestore } from './destroy-and-restore.ts'

test('[R50] a backup of a running server restores everything acknowledged before it, and participants go on', async () => {
  await destroyAndRestore('embedded')
})
