import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hardware } from '../../hardware/index.ts'
import { Misuse } from '../../misuse.ts'
import { expectProgram, findOnPath, programBelow } from '../../processes/index.ts'
import type { ServeFlags } from './flags.ts'
import type { LlamaBuild } from './llama-builds.ts'

/** Which program is going to run the model, and what has to be fetched first. */
export type EnginePlan =
  | { kind: 'llama-server'; binary: string }
  | { kind: 'node-llama-cpp'; compute: Compute }
  | { kind: 'fetch-llama-server'; build: LlamaBuild; folder: string }
  | { kind: 'install-node-llama-cpp'; compute: Compute }

export const serverName = 'llama-server'

/** What node-llama-cpp computes with; it has a package for each. */
export type Compute = false | 'cuda' | 'vulkan' | 'metal'

interface EngineDeps {
  env: NodeJS.ProcessEnv
  cacheFolder: string
  hardware: Hardware
  buildFor(hardware: Hardware): LlamaBuild | undefined
}

type Wish = Pick<ServeFlags, 'engine' | 'llamaServer' | 'mtp'>

/** All ways, the best first: what is there before what has to be fetched. Never empty. */
export async function planEngines(wish: Wish, deps: EngineDeps): Promise<[EnginePlan, ...EnginePlan[]]> {
  const { env, cacheFolder, hardware } = deps
  const compute = computeOf(hardware)
  const isInstalled = await hasNodeLlama(cacheFolder, compute)
  const bindings: EnginePlan = { kind: isInstalled ? 'node-llama-cpp' : 'install-node-llama-cpp', compute }
  if (wish.engine === 'node-llama-cpp') {
    if (wish.mtp) throw new Misuse('--mtp needs llama-server. Leave out --mtp or --engine node-llama-cpp.')
    return [bindings]
  }
  const build = deps.buildFor(hardware)
  const folder = join(cacheFolder, 'llama.cpp', build?.name ?? '')
  const given = await givenServer(wish.llamaServer, env.ATRIUM_LLAMA_SERVER)
  const { platform } = hardware
  const binary =
    given ??
    (await findOnPath(serverName, env, platform)) ??
    (build && (await programBelow(folder, serverName, platform)))
  const canUseBindings = wish.engine === 'auto' && !wish.mtp
  const plans: EnginePlan[] = [
    ...(binary === undefined ? [] : [{ kind: 'llama-server', binary } as const]),
    ...(canUseBindings && isInstalled ? [bindings] : []),
    ...(build === undefined ? [] : [{ kind: 'fetch-llama-server', build, folder } as const]),
    ...(canUseBindings && !isInstalled ? [bindings] : []),
  ]
  const [best, ...others] = plans
  if (best === undefined)
    throw new Misuse(
      `There is no llama-server on this machine, and none can be downloaded for ${hardware.platform} ${hardware.arch}${hardware.gpus.length > 0 ? ' with this GPU' : ''}. Build llama.cpp and give its path: --llama-server <path>.`,
    )
  return [best, ...others]
}

async function givenServer(
  flag: string | undefined,
  variable: string | undefined,
): Promise<string | undefined> {
  if (flag !== undefined) return expectProgram(flag, '--llama-server')
  return variable ? expectProgram(variable, 'ATRIUM_LLAMA_SERVER') : undefined
}

function computeOf({ gpus: [gpu] }: Hardware): Compute {
  if (gpu === undefined) return false
  return gpu.vendor === 'nvidia' ? 'cuda' : gpu.vendor === 'apple' ? 'metal' : 'vulkan'
}

/** Somebody has agreed to it before. The installation itself makes sure that it is complete and of the right version. */
async function hasNodeLlama(cacheFolder: string, compute: Compute): Promise<boolean> {
  const names = await readdir(cacheFolder).catch(() => [])
  return names.some((name) => name.startsWith('node-llama-cpp-') && name.endsWith(`-${compute || 'cpu'}`))
}
