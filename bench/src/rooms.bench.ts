import type { EngineName } from './engines.ts'
import type { BenchOptions } from './options.ts'
import { type BroadcastResult, benchBroadcast } from './rooms-broadcast.bench.ts'
import { benchCrowd, type CrowdResult } from './rooms-crowd.bench.ts'
import { benchReducer, type ReducerResult } from './rooms-reducer.bench.ts'

export interface RoomsResult {
  broadcast: BroadcastResult
  crowds: CrowdResult[]
  reducer: ReducerResult
}

export async function benchRooms(engines: EngineName[], options: BenchOptions): Promise<RoomsResult> {
  const broadcast = await benchBroadcast(options)
  const crowds: CrowdResult[] = []
  for (const engine of engines) {
    crowds.push(await benchCrowd(engine, options))
    if (options.beforeFolder) crowds.push(await benchCrowd(engine, options, options.beforeFolder))
  }
  return { broadcast, crowds, reducer: benchReducer(options) }
}
