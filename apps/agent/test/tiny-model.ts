import { type GgufTensor, type GgufValue, writeGguf } from './gguf.ts'

/**
 * A real model of a megabyte. Its only layer adds nothing, so that the output sees the embedding of the last token;
 * embeddings are one-hot, so that the output weights are a table of which token follows which. The table says `hi` to
 * people and keeps JSON short: with a grammar it fills in every schema, and without one it never calls a tool.
 */
const specialTokens = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'] as const
const byteTokens = 256
const vocabulary = byteTokens + specialTokens.length
const endOfText = byteTokens
const endOfMessage = byteTokens + 2

const width = 288 // At least the vocabulary, because embeddings are one-hot.
/** One head, far narrower than the rest: tests pay for every multiplication of every token. */
const headSize = 32
const feedForward = 32

const tinyModelContext = 4_096

const chatMl =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}" +
  "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

/** Followers of a byte, the likeliest first. What a grammar forbids is passed over. */
const followers: readonly [after: string, next: readonly string[]][] = [
  ['\n', ['h', '"', '}']],
  ['"', ['h', ':', ']', '}', ',']],
  ['h', ['i']],
  ['i', ['"']],
  [':', ['"', '3', 't', '[', '{', ' ']],
  [',', ['"', '3', '{', '[', ' ']],
  [' ', ['"', '3', 't', '[', '{']],
  ['{', ['"', '}']],
  ['[', ['"', '3', '{', ']']],
  ...[...'0123456789e}]'].map((byte): [string, string[]] => [byte, [']', '}', ',', '"', '\n']]),
]

/** The bytes of a model file. */
export function makeTinyModel({ contextLength = tinyModelContext } = {}): Buffer {
  const metadata: Record<string, GgufValue> = {
    'general.architecture': { kind: 'text', value: 'llama' },
    'general.name': { kind: 'text', value: 'Tiny' },
    'general.alignment': { kind: 'uint32', value: 32 },
    'general.file_type': { kind: 'uint32', value: 0 },
    'llama.context_length': { kind: 'uint32', value: contextLength },
    'llama.embedding_length': { kind: 'uint32', value: width },
    'llama.block_count': { kind: 'uint32', value: 1 },
    'llama.feed_forward_length': { kind: 'uint32', value: feedForward },
    'llama.attention.head_count': { kind: 'uint32', value: 1 },
    'llama.attention.head_count_kv': { kind: 'uint32', value: 1 },
    'llama.attention.key_length': { kind: 'uint32', value: headSize },
    'llama.attention.value_length': { kind: 'uint32', value: headSize },
    'llama.attention.layer_norm_rms_epsilon': { kind: 'float32', value: 1e-5 },
    'llama.rope.dimension_count': { kind: 'uint32', value: headSize },
    'llama.vocab_size': { kind: 'uint32', value: vocabulary },
    'tokenizer.ggml.model': { kind: 'text', value: 'gpt2' },
    'tokenizer.ggml.pre': { kind: 'text', value: 'gpt-2' },
    'tokenizer.ggml.tokens': { kind: 'texts', value: [...byteAlphabet(), ...specialTokens] },
    'tokenizer.ggml.token_type': {
      kind: 'int32s',
      value: [...Array(byteTokens).fill(1), ...specialTokens.map(() => 3)],
    },
    'tokenizer.ggml.merges': { kind: 'texts', value: ['h i'] },
    'tokenizer.ggml.bos_token_id': { kind: 'uint32', value: endOfText },
    'tokenizer.ggml.eos_token_id': { kind: 'uint32', value: endOfMessage },
    'tokenizer.ggml.add_bos_token': { kind: 'bool', value: false },
    'tokenizer.chat_template': { kind: 'text', value: chatMl },
  }
  return writeGguf(metadata, tensors())
}

function tensors(): GgufTensor[] {
  const zeros = (name: string, ...dimensions: number[]): GgufTensor => ({
    name,
    dimensions,
    values: new Float32Array(dimensions.reduce((size, length) => size * length, 1)),
  })
  const ones = (name: string): GgufTensor => ({
    name,
    dimensions: [width],
    values: new Float32Array(width).fill(1),
  })
  return [
    { name: 'token_embd.weight', dimensions: [width, vocabulary], values: oneHot() },
    ones('blk.0.attn_norm.weight'),
    zeros('blk.0.attn_q.weight', width, headSize),
    zeros('blk.0.attn_k.weight', width, headSize),
    zeros('blk.0.attn_v.weight', width, headSize),
    zeros('blk.0.attn_output.weight', headSize, width),
    ones('blk.0.ffn_norm.weight'),
    zeros('blk.0.ffn_gate.weight', width, feedForward),
    zeros('blk.0.ffn_up.weight', width, feedForward),
    zeros('blk.0.ffn_down.weight', feedForward, width),
    ones('output_norm.weight'),
    { name: 'output.weight', dimensions: [width, vocabulary], values: followerTable() },
  ]
}

function oneHot(): Float32Array {
  const values = new Float32Array(width * vocabulary)
  for (let token = 0; token < vocabulary; token++) values[token * width + token] = 1
  return values
}

/** One row for each next token, one column for each last one. */
function followerTable(): Float32Array {
  const values = new Float32Array(width * vocabulary)
  const prefer = (last: number, next: number, weight: number) => {
    values[next * width + last] = weight
  }
  for (const [after, next] of followers)
    for (const [rank, byte] of next.entries()) prefer(after.charCodeAt(0), byte.charCodeAt(0), 2 - rank * 0.1)
  prefer('i'.charCodeAt(0), endOfMessage, 3)
  return values
}

/** GPT-2 writes each byte as one visible character: printable ones as themselves, the others from 256 on. */
function byteAlphabet(): string[] {
  let next = 256
  return Array.from({ length: byteTokens }, (_, byte) => {
    const isVisible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
    return String.fromCodePoint(isVisible ? byte : next++)
  })
}
