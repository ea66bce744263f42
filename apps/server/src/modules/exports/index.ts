export { type EarningsDeps, readBonuses } from './earnings.ts'
export { createExports } from './exports.ts'
