import 'fake-indexeddb/auto'
import { newId } from '../ids.ts'
import { describeQueueStore } from '../test/queue-contract.ts'
import { createIndexedDbQueue } from './indexed-db-queue.ts'
import { createMemoryQueue } from './memory-queue.ts'

describeQueueStore('memory', async () => {
  const store = createMemoryQueue()
  return { store, reopen: async () => store }
})

describeQueueStore('IndexedDB', async () => {
  const databaseName = newId()
  const open = () => createIndexedDbQueue({ databaseName })
  return { store: open(), reopen: async () => open() }
})
