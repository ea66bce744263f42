import { type FileHandle, open } from 'node:fs/promises'
import { Misuse } from '../misuse.ts'
import type { ModelSize } from './memory.ts'

/** What the header of a GGUF file says about the model in it. */
interface GgufFacts extends ModelSize {
  architecture: string
  name?: string
  nativeContext?: number
  /** Heads for multi-token prediction are in the file. */
  hasMtp: boolean
}

type Scalar = number | string | boolean

// The types of values, as numbered by the format. Those with a size are read or skipped in one step.
const fixedSizes: Record<number, number> = {
  0: 1, // uint8
  1: 1, // int8
  2: 2, // uint16
  3: 2, // int16
  4: 4, // uint32
  5: 4, // int32
  6: 4, // float32
  7: 1, // bool
  10: 8, // uint64
  11: 8, // int64
  12: 8, // float64
}
const stringType = 8
const arrayType = 9

// A tokenizer with 250,000 words makes a header of about 11 MB. A file that claims more is broken or hostile.
const maxHeaderBytes = 134_217_728
const maxEntries = 10_000
const maxNumbersRead = 1_024
const maxTextBytes = 65_536

/** Reads forward through a file, with bounds. */
class HeaderReader {
  private chunk: Buffer = Buffer.alloc(0)
  private chunkStart = 0
  private position = 0
  private readonly file: FileHandle

  constructor(file: FileHandle) {
    this.file = file
  }

  skip(bytes: number): void {
    this.position += bytes
    if (this.position > maxHeaderBytes) throw new RangeError('the header is too long')
  }

  async take(bytes: number): Promise<Buffer> {
    const offset = this.position - this.chunkStart
    if (offset + bytes > this.chunk.length) {
      const wanted = Math.max(bytes, 1_048_576)
      const { buffer, bytesRead } = await this.file.read(Buffer.alloc(wanted), 0, wanted, this.position)
      if (bytesRead < bytes) throw new RangeError('the file ends in its header')
      this.chunk = buffer.subarray(0, bytesRead)
      this.chunkStart = this.position
      this.skip(bytes)
      return this.chunk.subarray(0, bytes)
    }
    this.skip(bytes)
    return this.chunk.subarray(offset, offset + bytes)
  }

  async count(): Promise<number> {
    const value = (await this.take(8)).readBigUInt64LE()
    if (value > BigInt(maxHeaderBytes)) throw new RangeError('a length is impossible')
    return Number(value)
  }

  async text(): Promise<string> {
    const bytes = await this.count()
    if (bytes > maxTextBytes) {
      this.skip(bytes)
      return ''
    }
    return (await this.take(bytes)).toString('utf8')
  }
}

/** The facts of a GGUF file, or a sentence that says that it is none. */
const otherKind = 'it does not begin with GGUF'

export async function readGgufFacts(path: string): Promise<GgufFacts> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new Misuse(
      error.code === 'ENOENT'
        ? `There is no model at ${path}. Give the path of a GGUF file, or a preset.`
        : `The model ${path} cannot be read (${error.code}). Check its permissions.`,
    )
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new Misuse(`${path} is not a file. Give the path of a GGUF file.`)
    return factsFrom(await readValues(new HeaderReader(file)), stats.size)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    if (error.message === otherKind)
      throw new Misuse(`${path} is no model file: ${otherKind}. Give the path of a GGUF file, or a preset.`)
    throw new Misuse(
      `${path} is not a GGUF model, or it is damaged (${error.message}). Download it again, or give another file.`,
    )
  } finally {
    await file.close()
  }
}

async function readValues(reader: HeaderReader): Promise<Map<string, Scalar | number[]>> {
  const start = await reader.take(8)
  if (start.toString('latin1', 0, 4) !== 'GGUF') throw new RangeError(otherKind)
  const version = start.readUInt32LE(4)
  if (version < 2 || version > 3) throw new RangeError(`version ${version} of the format is unknown`)
  await reader.count() // tensors
  const entries = await reader.count()
  if (entries > maxEntries) throw new RangeError('it has too many entries')
  const values = new Map<string, Scalar | number[]>()
  for (let entry = 0; entry < entries; entry++) {
    const key = await reader.text()
    const value = await readValue(reader, (await reader.take(4)).readUInt32LE())
    if (value !== undefined) values.set(key, value)
  }
  return values
}

async function readValue(reader: HeaderReader, type: number): Promise<Scalar | number[] | undefined> {
  if (type === stringType) return reader.text()
  if (type !== arrayType) return readFixed(reader, type)
  const itemType = (await reader.take(4)).readUInt32LE()
  const length = await reader.count()
  const size = fixedSizes[itemType]
  if (size !== undefined && length > maxNumbersRead) {
    reader.skip(length * size)
    return undefined
  }
  const numbers: number[] = []
  for (let index = 0; index < length; index++) {
    // Words of the vocabulary: only their lengths matter, to find what follows.
    if (itemType === stringType) reader.skip(await reader.count())
    else numbers.push(Number(await readFixed(reader, itemType)))
  }
  return itemType === stringType ? undefined : numbers
}

async function readFixed(reader: HeaderReader, type: number): Promise<number | boolean> {
  const size = fixedSizes[type]
  if (size === undefined) throw new RangeError(`values of type ${type} are unknown`)
  const bytes = await reader.take(size)
  if (type === 6) return bytes.readFloatLE()
  if (type === 7) return bytes[0] === 1
  if (type === 10) return Number(bytes.readBigUInt64LE())
  if (type === 11) return Number(bytes.readBigInt64LE())
  if (type === 12) return bytes.readDoubleLE()
  return type % 2 === 0 ? bytes.readUIntLE(0, size) : bytes.readIntLE(0, size)
}

function factsFrom(values: Map<string, Scalar | number[]>, fileBytes: number): GgufFacts {
  const architecture = String(values.get('general.architecture') ?? 'unknown')
  const number = (name: string): number | undefined => {
    const value = values.get(`${architecture}.${name}`)
    return typeof value === 'number' && value > 0 ? value : undefined
  }
  const mtpLayers = number('nextn_predict_layers') ?? 0
  const layers = number('block_count') ?? 1
  const heads = number('attention.head_count') ?? 1
  const width = Math.ceil((number('embedding_length') ?? 0) / heads)
  const widths = (number('attention.key_length') ?? width) + (number('attention.value_length') ?? width)
  const perLayer = values.get(`${architecture}.attention.head_count_kv`)
  // Of hybrid models, every n-th layer keeps keys and values; others list the heads of each layer.
  const interval = number('full_attention_interval') ?? 1
  const kvHeads = Array.isArray(perLayer)
    ? perLayer.reduce((sum, count) => sum + count, 0)
    : (typeof perLayer === 'number' ? perLayer : heads) *
      (Math.floor((layers - mtpLayers) / interval) + mtpLayers)
  const name = values.get('general.name')
  const nativeContext = number('context_length')
  return {
    architecture,
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(nativeContext === undefined ? {} : { nativeContext }),
    hasMtp: mtpLayers > 0,
    weightsBytes: fileBytes,
    layers,
    kvBytesPerToken: kvHeads * widths * 2,
    stateBytesPerRequest: stateBytes(number, layers - mtpLayers, interval),
  }
}

/** What linear-attention layers keep for each request, in 32-bit floats. */
function stateBytes(number: (name: string) => number | undefined, layers: number, interval: number): number {
  const inner = number('ssm.inner_size') ?? 0
  const state = number('ssm.state_size') ?? 0
  const linearLayers = interval > 1 ? layers - Math.floor(layers / interval) : inner > 0 ? layers : 0
  return linearLayers * inner * state * 4
}
