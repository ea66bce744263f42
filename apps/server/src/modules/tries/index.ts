export { createTries } from './tries.ts'
