export type GpuVendor = 'nvidia' | 'amd' | 'intel' | 'apple' | 'other'

/** One device that can hold a model: a card, a MIG slice of a card, or the GPU of a chip. */
export interface Gpu {
  name: string
  vendor: GpuVendor
  memoryBytes: number
  /** Of `memoryBytes`; undefined if nothing could tell. */
  freeBytes?: number
  /** The memory is the RAM of the machine: it is not there twice. */
  isUnified: boolean
  uuid?: string
  driverVersion?: string
  /** NVIDIA's generation, such as 8.9. Builds of llama.cpp need to know. */
  computeCapability?: number
  /** The MIG profile, such as `1g.10gb`. A program uses one slice, never two. */
  slice?: string
}

export interface Hardware {
  platform: string
  arch: string
  gpus: Gpu[]
  ramBytes: number
  ramAvailableBytes: number
  /** Threads that this process may use. */
  cores: number
  /** There is a GPU, but it cannot be used: why, and what to do about it. */
  unusableGpu?: string
  /** Sentences for the operator. */
  warnings: string[]
}

const mebibyte = 1_048_576
const gibibyte = 1_073_741_824

export const fromMebibytes = (count: number): number => Math.round(count * mebibyte)

/** 24,564 MiB are sold as 24 GB: rounded, not cut off. Below 1 GiB in MiB. */
export function inGibibytes(bytes: number): string {
  if (bytes < gibibyte) return `${Math.round(bytes / mebibyte)} MiB`
  const exact = bytes / gibibyte
  return `${exact < 10 ? exact.toFixed(1).replace(/\.0$/, '') : Math.round(exact)} GiB`
}

/** Where it matters whether something fits. */
export const inExactGibibytes = (bytes: number): string => `${(bytes / gibibyte).toFixed(1)} GiB`

/** Files are sold and shown in powers of ten. */
export function inGigabytes(bytes: number): string {
  if (bytes < 1_000_000_000) return `${Math.round(bytes / 1_000_000)} MB`
  const exact = bytes / 1_000_000_000
  return `${exact < 10 ? exact.toFixed(1) : Math.round(exact)} GB`
}
