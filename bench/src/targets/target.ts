import type { LoadOrder, ServerUnderLoad } from '../load/http-load.ts'

/** A server under load that takes batches of events. */
export interface Target extends ServerUnderLoad {
  address: string
  eventsPath: string
  /** One lane per session. */
  lanes: LoadOrder['lanes']
  stop(): Promise<unknown>
}
