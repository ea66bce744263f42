// What only Node can do: keep the queue in a file. The rest of the client is in the main entry.
export { createFileQueue } from './node/file-queue.ts'
