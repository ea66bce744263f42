export { keyMissing } from './authorisation.ts'
export { type Front, type FrontEntry, type FrontOptions, startFront } from './front.ts'
