import { availableParallelism, freemem, totalmem } from 'node:os'
import { type RunProgram, runProgram } from '../processes/index.ts'
import type { Gpu, Hardware } from './hardware.ts'
import {
  devicesOf,
  isUnknownField,
  parseCards,
  parseSlices,
  queryArguments,
  visibleDevices,
} from './nvidia-smi.ts'
import { explainUnusableCard, type NvidiaSmiEnd } from './nvidia-trouble.ts'
import { type GraphicsController, gpusBeside, nvidiaCardSeen, type PciDisplay } from './other-gpus.ts'
import { readPciDisplays } from './pci.ts'

export interface HardwareSources {
  platform: string
  arch: string
  env: NodeJS.ProcessEnv
  run: RunProgram
  pci(): Promise<PciDisplay[]>
  graphics(): Promise<readonly GraphicsController[]>
  memory(): { totalBytes: number; availableBytes: number }
  cores(): number
}

export const sourcesOfThisMachine = (env: NodeJS.ProcessEnv): HardwareSources => ({
  platform: process.platform,
  arch: process.arch,
  env,
  run: runProgram,
  pci: () => readPciDisplays(),
  async graphics() {
    const { graphics } = await import('systeminformation')
    return (await graphics()).controllers
  },
  memory() {
    // A container may have less than its machine. Without a limit, the answer is 0 or larger than the machine.
    const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
    const totalBytes = Math.min(totalmem(), limit)
    return { totalBytes, availableBytes: Math.min(freemem(), totalBytes) }
  },
  cores: () => availableParallelism(),
})

/** Under WSL, nvidia-smi is not on the PATH of every shell. */
const nvidiaSmiPaths = ['nvidia-smi', '/usr/lib/wsl/lib/nvidia-smi']

export async function detectHardware(sources: HardwareSources): Promise<Hardware> {
  const { platform, arch, env } = sources
  const { totalBytes, availableBytes } = sources.memory()
  const [nvidia, pci, controllers] = await Promise.all([
    platform === 'darwin' ? { kind: 'missing' as const } : askNvidiaSmi(sources.run, totalBytes),
    sources.pci(),
    // The other sources are enough to go on if this one breaks.
    sources.graphics().catch((): readonly GraphicsController[] => []),
  ])
  const devices = nvidia.kind === 'devices' ? nvidia.devices : []
  const visible = visibleDevices(devices, env.CUDA_VISIBLE_DEVICES)
  const seen = nvidia.kind === 'devices' ? undefined : nvidiaCardSeen(controllers, pci)
  return {
    platform,
    arch,
    gpus: [...visible, ...gpusBeside(controllers, pci, { platform, arch, ramBytes: totalBytes })],
    ramBytes: totalBytes,
    ramAvailableBytes: availableBytes,
    cores: sources.cores(),
    ...(seen !== undefined &&
      nvidia.kind !== 'devices' && { unusableGpu: explainUnusableCard(seen, nvidia) }),
    warnings: hiddenDevices(devices, visible, env.CUDA_VISIBLE_DEVICES),
  }
}

type NvidiaAnswer = NvidiaSmiEnd | { kind: 'devices'; devices: Gpu[] }

async function askNvidiaSmi(run: RunProgram, ramBytes: number): Promise<NvidiaAnswer> {
  for (const path of nvidiaSmiPaths) {
    let answer = await run(path, queryArguments(false))
    if (answer.kind === 'ended' && isUnknownField(`${answer.stdout}${answer.stderr}`))
      answer = await run(path, queryArguments(true))
    if (answer.kind === 'missing') continue
    if (answer.kind === 'timeout') return answer
    const output = `${answer.stdout}\n${answer.stderr}`
    const cards = parseCards(answer.stdout)
    if (cards.length === 0)
      return answer.code === 0 || /no devices were found/i.test(output)
        ? { kind: 'no-cards' }
        : { kind: 'failed', output }
    const listing = await run(path, ['-L'])
    const slices = listing.kind === 'ended' ? parseSlices(listing.stdout) : []
    return { kind: 'devices', devices: devicesOf(cards, slices, ramBytes) }
  }
  return { kind: 'missing' }
}

function hiddenDevices(devices: Gpu[], visible: Gpu[], setting: string | undefined): string[] {
  if (visible.length === devices.length) return []
  if (setting !== undefined)
    return [`CUDA_VISIBLE_DEVICES hides ${devices.length - visible.length} of ${devices.length} GPU devices.`]
  const others = devices.slice(1).map(({ slice, uuid }) => `${slice} (${uuid})`)
  return [
    `A program can use one MIG slice: this is the first one. To use another one, set CUDA_VISIBLE_DEVICES: ${others.join(', ')}.`,
  ]
}
