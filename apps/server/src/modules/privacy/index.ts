export { createPrivacy, type Privacy } from './privacy.ts'
