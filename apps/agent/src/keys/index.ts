export { newApiKey } from './api-key.ts'
export { readKey, readOrCreateKey } from './config-file.ts'
export { readAddress, rememberAddress } from './serving-file.ts'
