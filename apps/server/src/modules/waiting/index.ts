export { queuesOf } from './queue-of-stage.ts'
export { createWaiting, type Waiting } from './waiting.ts'
