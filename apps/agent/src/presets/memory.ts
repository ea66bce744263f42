import type { Gpu, Hardware } from '../hardware/index.ts'

/** What decides how much memory a model needs. */
export interface ModelSize {
  weightsBytes: number
  layers: number
  kvBytesPerToken: number
  stateBytesPerRequest: number
}

/** Where a model can run. */
export interface Place {
  kind: 'gpu' | 'cpu'
  /** What a model and its requests may use together. */
  bytes: number
  devices: number
  /** Whose memory it is, such as `2 × NVIDIA L4`. */
  name: string
}

const mebibyte = 1_048_576

/** For the context of the device and what its driver keeps. An assumption on the safe side, not a measurement. */
const overheadPerDeviceBytes = 768 * mebibyte
/** llama.cpp computes 512 tokens at a time; their scores take 4 bytes for each of 248,320 words. */
const batchBytes = 512 * 248_320 * 4

/** Weights, keys and values for every request at its full length, and what the engine itself takes. */
export function neededBytes(model: ModelSize, ctx: number, parallel: number, place: Place): number {
  const requests = parallel * (ctx * model.kvBytesPerToken + model.stateBytesPerRequest)
  // Whole layers are put on cards, so that each card but the last may have the room of one left.
  const rest = (place.devices - 1) * Math.ceil(model.weightsBytes / Math.max(1, model.layers))
  return model.weightsBytes + requests + batchBytes + place.devices * overheadPerDeviceBytes + rest
}

/** Metal limits what a program may use. These shares are an assumption on the safe side: reports say up to 78 %. */
const largeRamBytes = 36 * 1_024 * mebibyte
const unifiedShare = (ramBytes: number): number => (ramBytes > largeRamBytes ? 3 / 4 : 2 / 3)

/** On a processor, the system and the page cache need the rest. */
const ramShare = 3 / 4

function usableBytes({ memoryBytes, freeBytes, isUnified }: Gpu): number {
  return Math.floor(isUnified ? memoryBytes * unifiedShare(memoryBytes) : (freeBytes ?? memoryBytes))
}

/** The cards of one vendor that together offer most: llama.cpp divides a model among them. Undefined without a GPU. */
export function gpuPlace({ gpus }: Hardware): Place | undefined {
  const places = [...new Set(gpus.map(({ vendor }) => vendor))].map((vendor): Place => {
    const own = gpus.filter((gpu) => gpu.vendor === vendor)
    return {
      kind: 'gpu',
      bytes: own.reduce((sum, gpu) => sum + usableBytes(gpu), 0),
      devices: own.length,
      name: nameOf(own),
    }
  })
  return places.toSorted((one, other) => other.bytes - one.bytes)[0]
}

export const cpuPlace = ({ ramBytes, ramAvailableBytes }: Hardware): Place => ({
  kind: 'cpu',
  bytes: Math.floor(Math.min(ramBytes * ramShare, ramAvailableBytes)),
  devices: 1,
  name: 'the RAM',
})

function nameOf(gpus: readonly Gpu[]): string {
  const names = gpus.map(({ name, slice }) => (slice === undefined ? name : `${name}, slice ${slice}`))
  return [...new Set(names)]
    .map((name) => {
      const count = names.filter((other) => other === name).length
      return count === 1 ? name : `${count} × ${name}`
    })
    .join(' and ')
}
