export { addressOf, isLoopback, listenOn } from './address.ts'
export { describedMetric } from './described-metric.ts'
export { createFairLine, type FairLine } from './fair-line.ts'
export {
  address,
  ConfigError,
  describeKeys,
  flag,
  type Key,
  oneOf,
  optionalWhole,
  port,
  readKeys,
  type Secrets,
  secretsIn,
  text,
  usingKey,
  type Values,
  whole,
} from './keys.ts'
export { asTrustProxy, listeningKeys, refuseSamePort } from './listening-keys.ts'
export { createLogger, type Logger } from './logger.ts'
export { networkOf } from './network-of.ts'
export { connectRedis, untilConnected } from './redis.ts'
export { hardStopMs, type Program, runProgram } from './run.ts'
export { inSpan, openTracing } from './tracing/open-tracing.ts'
export type { OpenSpan, Tracing } from './tracing/tracing.ts'
export { tracingKeys, tracingOf } from './tracing/tracing-keys.ts'
