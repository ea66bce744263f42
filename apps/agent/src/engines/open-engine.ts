import { assertNever } from '@atrium/contract'
import type { Engine, EngineOptions } from './engine.ts'
import {
  type LlamaServerChoice,
  type LlamaServerLimits,
  openLlamaServer,
} from './llama-server/llama-server.ts'
import { type NodeLlamaChoice, openNodeLlama } from './node-llama/node-llama.ts'
import { openUpstream, type UpstreamChoice } from './upstream.ts'

export type EngineChoice = LlamaServerChoice | NodeLlamaChoice | UpstreamChoice

/** Starts the engine and waits until it can answer. Throws `Misuse` if it cannot. */
export async function openEngine(
  choice: EngineChoice,
  options: EngineOptions & Pick<LlamaServerLimits, 'env'>,
): Promise<Engine> {
  switch (choice.kind) {
    case 'llama-server':
      return openLlamaServer(choice, options, options)
    case 'node-llama-cpp':
      return openNodeLlama(choice, options)
    case 'upstream':
      return openUpstream(choice, options)
    default:
      return assertNever(choice)
  }
}
