export { newApiKey, readKey, readOrCreateKey } from './config-file.ts'
export { readAddress, rememberAddress } from './serving-file.ts'
