export { createExports, type Exports } from './exports.ts'
