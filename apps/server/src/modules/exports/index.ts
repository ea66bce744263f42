export { type EarningsDeps, readBonuses } from './earnings.ts'
export { createExports, type Exports } from './exports.ts'
