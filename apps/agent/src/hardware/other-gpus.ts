import { fromMebibytes, type Gpu, type GpuVendor } from './hardware.ts'

/** The part of systeminformation's answer that is read. */
export interface GraphicsController {
  vendor: string
  model: string
  /** MiB, or null. */
  vram: number | null
  vramDynamic?: boolean
}

/** A card that the kernel lists (Linux). */
export interface PciDisplay {
  vendorId: number
  address: string
  /** amdgpu tells the memory of its cards. */
  vramBytes?: number
  vramUsedBytes?: number
}

const vendorIds: Record<number, GpuVendor> = { 4318: 'nvidia', 4098: 'amd', 32902: 'intel' }

const vendorNames: [RegExp, GpuVendor][] = [
  [/nvidia/i, 'nvidia'],
  [/amd|advanced micro devices|ati\b/i, 'amd'],
  [/intel/i, 'intel'],
  [/apple/i, 'apple'],
]

const vendorOf = (text: string): GpuVendor =>
  vendorNames.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'

/** GPUs in a processor borrow RAM: llama.cpp would gain nothing, and what they report is not theirs. */
const minOwnBytes = fromMebibytes(3_072)

/** Everything but NVIDIA's cards, which nvidia-smi knows better. */
export function gpusBeside(
  controllers: readonly GraphicsController[],
  pci: readonly PciDisplay[],
  { platform, arch, ramBytes }: { platform: string; arch: string; ramBytes: number },
): Gpu[] {
  if (platform === 'darwin') return appleGpus(controllers, arch, ramBytes)
  const known = pci.filter(({ vramBytes }) => vramBytes !== undefined)
  const fromKernel = known.map(({ vendorId, vramBytes = 0, vramUsedBytes }, index): Gpu => {
    const vendor = vendorIds[vendorId] ?? 'other'
    const named = controllers.filter((controller) => vendorOf(controller.vendor) === vendor)[index]
    return {
      name: named?.model ?? `${vendor.toUpperCase()} GPU`,
      vendor,
      memoryBytes: vramBytes,
      ...(vramUsedBytes === undefined ? {} : { freeBytes: Math.max(0, vramBytes - vramUsedBytes) }),
      isUnified: false,
    }
  })
  const fromSystem = controllers
    .filter(({ vendor, vramDynamic }) => !vramDynamic && vendorOf(vendor) !== 'nvidia')
    // lspci shows a window of 256 MiB as the memory of an AMD card; the kernel is right.
    .filter(({ vendor }) => !(vendorOf(vendor) === 'amd' && known.length > 0))
    .map(
      ({ vendor, model, vram }): Gpu => ({
        name: model,
        vendor: vendorOf(vendor),
        memoryBytes: fromMebibytes(vram ?? 0),
        isUnified: false,
      }),
    )
  return [...fromKernel, ...fromSystem].filter(({ memoryBytes }) => memoryBytes >= minOwnBytes)
}

/** Apple silicon has one GPU, which uses the RAM. Macs with Intel processors run models on the CPU. */
function appleGpus(controllers: readonly GraphicsController[], arch: string, ramBytes: number): Gpu[] {
  if (arch !== 'arm64') return []
  const named = controllers.find(({ vendor, model }) => vendorOf(`${vendor} ${model}`) === 'apple')
  return [{ name: named?.model ?? 'Apple silicon', vendor: 'apple', memoryBytes: ramBytes, isUnified: true }]
}

/** The NVIDIA card that is in the machine according to the kernel or the system; undefined if there is none. */
export function nvidiaCardSeen(
  controllers: readonly GraphicsController[],
  pci: readonly PciDisplay[],
): string | undefined {
  const named = controllers.find(({ vendor, model }) => vendorOf(`${vendor} ${model}`) === 'nvidia')
  if (named) return named.model || 'NVIDIA'
  const listed = pci.find(({ vendorId }) => vendorIds[vendorId] === 'nvidia')
  return listed && `NVIDIA, at PCI address ${listed.address}`
}
