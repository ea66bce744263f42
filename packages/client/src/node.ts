// Everything of the client, and what only Node can do: keep the queue in a file.
export { createFileQueue } from './node/file-queue.ts'
