export { createKeys, type Keys } from './keys.ts'
