export type { ExportStore } from './exports.store.ts'
export { createExports, type Exports } from './exports.ts'
export { readParts } from './paged-rows.ts'
