import type { FrontEntry } from '../../front/index.ts'
import { oneLine } from '../../one-line.ts'

/** Tells the operator about requests that failed because of the engine or of us. Others are the clients' business. */
export const createRequestLog =
  (say: (text: string) => void) =>
  ({ method, route, status, code, ms, fault }: FrontEntry): void => {
    if (status >= 500)
      say(`${method} ${route ?? 'unknown route'}: ${status} ${code}, after ${Math.round(ms)} ms`)
    if (fault !== undefined)
      say(fault instanceof Error ? (fault.stack ?? fault.message) : oneLine(String(fault)))
  }
