import 'fake-indexeddb/auto'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll } from 'vitest'
import { newId } from '../ids.ts'
import { createFileQueue } from '../node/file-queue.ts'
import { describeQueueStore } from '../test/queue-contract.ts'
import { createIndexedDbQueue } from './indexed-db-queue.ts'
import { createMemoryQueue } from './memory-queue.ts'

const folder = createTemporaryFolder('queue')
afterAll(() => folder.remove())

describeQueueStore('memory', async () => {
  const store = createMemoryQueue()
  return { store, reopen: async () => store }
})

describeQueueStore('IndexedDB', async () => {
  const databaseName = newId()
  const open = () => createIndexedDbQueue({ databaseName })
  return { store: open(), reopen: async () => open() }
})

describeQueueStore('file', async () => {
  const path = `${folder.path}/${newId()}`
  const open = () => createFileQueue({ folder: path })
  return { store: open(), reopen: async () => open() }
})
