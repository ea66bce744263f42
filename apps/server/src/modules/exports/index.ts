export { type EarningsDeps, readBonuses } from './earnings.ts'
export type { ExportStore } from './exports.store.ts'
export { createExports, type Exports } from './exports.ts'
