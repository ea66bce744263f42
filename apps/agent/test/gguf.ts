/** The few kinds of GGUF values that a small model needs. */
export type GgufValue =
  | { kind: 'text'; value: string }
  | { kind: 'uint32'; value: number }
  | { kind: 'float32'; value: number }
  | { kind: 'bool'; value: boolean }
  | { kind: 'texts'; value: readonly string[] }
  | { kind: 'int32s'; value: readonly number[] }

export interface GgufTensor {
  name: string
  /** The fastest-running dimension first, as in the file. */
  dimensions: readonly number[]
  values: Float32Array
}

const version = 3
const alignment = 32
const valueTypes = { uint32: 4, int32: 5, float32: 6, bool: 7, text: 8, list: 9 } as const
const tensorTypeFloat32 = 0

/** Writes a model file: header, metadata, the list of tensors, then their values. */
export function writeGguf(metadata: Record<string, GgufValue>, tensors: readonly GgufTensor[]): Buffer {
  const keys = Object.entries(metadata)
  const offsets = offsetsOf(tensors)
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(version),
    uint64(tensors.length),
    uint64(keys.length),
    ...keys.map(([key, value]) => Buffer.concat([text(key), typedValue(value)])),
    ...tensors.map((tensor, index) => tensorInfo(tensor, offsets[index] ?? 0)),
  ])
  const body = tensors.flatMap(({ values }) => {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
    return [bytes, padding(bytes.length)]
  })
  return Buffer.concat([head, padding(head.length), ...body])
}

function offsetsOf(tensors: readonly GgufTensor[]): number[] {
  let offset = 0
  return tensors.map(({ values }) => {
    const own = offset
    offset += values.byteLength + padding(values.byteLength).length
    return own
  })
}

const tensorInfo = ({ name, dimensions }: GgufTensor, offset: number): Buffer =>
  Buffer.concat([
    text(name),
    uint32(dimensions.length),
    ...dimensions.map(uint64),
    uint32(tensorTypeFloat32),
    uint64(offset),
  ])

function typedValue(given: GgufValue): Buffer {
  switch (given.kind) {
    case 'text':
      return Buffer.concat([uint32(valueTypes.text), text(given.value)])
    case 'uint32':
      return Buffer.concat([uint32(valueTypes.uint32), uint32(given.value)])
    case 'float32':
      return Buffer.concat([uint32(valueTypes.float32), float32(given.value)])
    case 'bool':
      return Buffer.concat([uint32(valueTypes.bool), Buffer.from([given.value ? 1 : 0])])
    case 'texts':
      return Buffer.concat([listHead(valueTypes.text, given.value.length), ...given.value.map(text)])
    case 'int32s':
      return Buffer.concat([listHead(valueTypes.int32, given.value.length), ...given.value.map(uint32)])
  }
}

const listHead = (type: number, length: number): Buffer =>
  Buffer.concat([uint32(valueTypes.list), uint32(type), uint64(length)])

const padding = (length: number): Buffer => Buffer.alloc((alignment - (length % alignment)) % alignment)

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint64(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}
