export { createTables, type Tables } from './tables.ts'
