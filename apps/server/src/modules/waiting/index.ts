export { createWaiting, type Waiting } from './waiting.ts'
