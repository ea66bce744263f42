import { setTimeout as delay } from 'node:timers/promises'
import { createBackend } from '../backend.ts'
import { callback } from '../callback.ts'
import { readCallbackConfig } from '../config.ts'
import { consoleLog } from '../log.ts'

const backend = createBackend(readCallbackConfig(process.env).backend)
const log = consoleLog(console.log)

/** For job state changes: make it the target of an EventBridge rule. */
export const handler = (event: unknown): Promise<void> =>
  callback(event, {
    postComplete: backend.completed,
    postProgress: backend.progressed,
    now: () => Date.now(),
    wait: (ms) => delay(ms),
    log,
  })
