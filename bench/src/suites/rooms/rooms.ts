import type { EngineName } from '../../harness/engines.ts'
import type { BenchOptions } from '../../options.ts'
import { type BroadcastResult, benchBroadcast } from './broadcast.ts'
import { benchCrowd, type CrowdResult } from './crowd.ts'
import { benchDurable, type DurableResult } from './durable.ts'
import { benchReducer, type ReducerResult } from './reducer.ts'
import { benchTexts, type TextsResult } from './texts.ts'

export interface RoomsResult {
  broadcast: BroadcastResult
  durables: DurableResult[]
  crowds: CrowdResult[]
  reducer: ReducerResult
  texts: TextsResult
}

export async function benchRooms(engines: EngineName[], options: BenchOptions): Promise<RoomsResult> {
  const broadcast = await benchBroadcast(options)
  const durables: DurableResult[] = []
  for (const engine of engines) durables.push(await benchDurable(engine, options))
  const crowds: CrowdResult[] = []
  for (const engine of engines) {
    crowds.push(await benchCrowd(engine, options))
    if (options.beforeFolder) crowds.push(await benchCrowd(engine, options, options.beforeFolder))
  }
  return { broadcast, durables, crowds, reducer: benchReducer(options), texts: await benchTexts(options) }
}
