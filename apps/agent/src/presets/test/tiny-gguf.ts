import { type GgufValue, writeGguf } from '../../../test/gguf.ts'

type Value = number | string | string[] | number[]

function typed(value: Value): GgufValue {
  if (typeof value === 'number') return { kind: 'uint32', value }
  if (typeof value === 'string') return { kind: 'text', value }
  const numbers = value.filter((item) => typeof item === 'number')
  return numbers.length === value.length
    ? { kind: 'int32s', value: numbers }
    : { kind: 'texts', value: value.map(String) }
}

/** A GGUF file without tensors: enough for everything that reads facts. */
export const ggufHeader = (values: Record<string, Value>): Buffer =>
  writeGguf(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typed(value)])), [])

/** A model so small that it fits everywhere. */
export const tinyGguf = (more: Record<string, Value> = {}): Buffer =>
  ggufHeader({
    'general.architecture': 'llama',
    'general.name': 'Tiny',
    'llama.block_count': 2,
    'llama.context_length': 65_536,
    'llama.embedding_length': 64,
    'llama.attention.head_count': 4,
    'llama.attention.head_count_kv': 2,
    'tokenizer.ggml.tokens': ['a', 'b', 'longer than the others'],
    ...more,
  })
