export {
  type CheckOptions,
  type CheckProgress,
  type CheckReport,
  checkDefaults,
  checkModelServer,
} from './check-model-server.ts'
export { type Clock, systemClock } from './clock.ts'
export { parseBaseUrl } from './endpoint/base-url.ts'
export type { FurtherCheck, FurtherCheckName } from './further/further-check.ts'
export { createLineCutter } from './respond/cut-lines.ts'
