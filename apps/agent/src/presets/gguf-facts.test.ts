import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder, type TemporaryFolder } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readGgufFacts } from './gguf-facts.ts'
import { noSuchPreset, parseModelReference } from './model-reference.ts'
import { findPreset } from './presets.ts'
import { ggufHeader, tinyGguf } from './test/tiny-gguf.ts'

let folder: TemporaryFolder
beforeAll(() => {
  folder = createTemporaryFolder('agent-gguf')
})
afterAll(() => folder.remove())

async function factsOf(bytes: Buffer) {
  const path = join(folder.path, 'model.gguf')
  await writeFile(path, bytes)
  return readGgufFacts(path)
}

describe('[AG65] the file itself says what a model needs', () => {
  test('layers, heads and context', async () => {
    const bytes = tinyGguf()
    expect(await factsOf(bytes)).toEqual({
      architecture: 'llama',
      name: 'Tiny',
      nativeContext: 65_536,
      hasMtp: false,
      weightsBytes: bytes.length,
      layers: 2,
      kvBytesPerToken: 2 * 2 * 2 * 16 * 2,
      stateBytesPerRequest: 0,
    })
  })

  test('what is behind a large vocabulary is found', async () => {
    const words = Array.from({ length: 50_000 }, (_, index) => `word ${index}`)
    const facts = await factsOf(
      ggufHeader({
        'tokenizer.ggml.tokens': words,
        'tokenizer.ggml.token_type': Array.from({ length: 50_000 }, () => 1),
        'general.architecture': 'llama',
        'llama.context_length': 4_096,
      }),
    )
    expect(facts).toMatchObject({ architecture: 'llama', nativeContext: 4_096 })
  })

  test('hybrid models keep keys and values in every fourth layer, and a state in the others', async () => {
    const preset = findPreset('qwen3.6-27b')
    const facts = await factsOf(
      ggufHeader({
        'general.architecture': 'qwen35',
        'qwen35.block_count': 65,
        'qwen35.nextn_predict_layers': 1,
        'qwen35.context_length': 262_144,
        'qwen35.embedding_length': 5_120,
        'qwen35.attention.head_count': 24,
        'qwen35.attention.head_count_kv': 4,
        'qwen35.attention.key_length': 256,
        'qwen35.attention.value_length': 256,
        'qwen35.full_attention_interval': 4,
        'qwen35.ssm.inner_size': 6_144,
        'qwen35.ssm.state_size': 128,
      }),
    )
    expect(facts.hasMtp).toBe(true)
    expect(facts.kvBytesPerToken).toBe(preset?.kvBytesPerTokenMtp?.value)
    // The preset counts the convolution too, which is small.
    expect(facts.stateBytesPerRequest / (preset?.stateBytesPerRequest.value ?? 1)).toBeCloseTo(0.96, 1)
  })

  test('heads may be listed for each layer', async () => {
    const facts = await factsOf(tinyGguf({ 'llama.attention.head_count_kv': [2, 0] }))
    expect(facts.kvBytesPerToken).toBe(2 * 2 * 16 * 2)
  })
})

describe('[AG66] what is no model is refused with a sentence', () => {
  const huge = Buffer.alloc(8, 0xff)
  test.each([
    ['a web page', Buffer.from('<!doctype html>'), /does not begin with GGUF/],
    ['nothing', Buffer.alloc(0), /ends in its header/],
    [
      'another version',
      Buffer.concat([Buffer.from('GGUF'), Buffer.from([9, 0, 0, 0]), Buffer.alloc(16)]),
      /version 9/,
    ],
    ['half a header', tinyGguf().subarray(0, 100), /ends in its header/],
    [
      'impossible lengths',
      Buffer.concat([Buffer.from('GGUF'), Buffer.from([3, 0, 0, 0]), Buffer.alloc(8), huge]),
      /impossible/,
    ],
    [
      'an endless list',
      Buffer.concat([
        Buffer.from('GGUF'),
        Buffer.from([3, 0, 0, 0]),
        Buffer.alloc(8),
        Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]),
        Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]),
        Buffer.from('k'),
        Buffer.from([9, 0, 0, 0, 10, 0, 0, 0]),
        Buffer.from([0, 0, 0, 7, 0, 0, 0, 0]),
      ]),
      /too long/,
    ],
  ])('%s', async (_, bytes, why) => {
    await expect(factsOf(bytes)).rejects.toThrow(why)
    await expect(factsOf(bytes)).rejects.toThrow(/is not a GGUF model, or it is damaged|is no model file/)
  })

  test('a path that leads nowhere, or to a folder', async () => {
    await expect(readGgufFacts(join(folder.path, 'nowhere.gguf'))).rejects.toThrow(/There is no model at/)
    await mkdir(join(folder.path, 'folder.gguf'))
    await expect(readGgufFacts(join(folder.path, 'folder.gguf'))).rejects.toThrow(/is not a file/)
  })
})

describe('[AG67] --model', () => {
  test('names a preset, a file, an address, a file on Hugging Face, or a server', () => {
    expect(parseModelReference('Qwen3.5-9B')).toMatchObject({
      kind: 'preset',
      preset: { name: 'qwen3.5-9b' },
    })
    expect(parseModelReference('./model.gguf')).toEqual({ kind: 'file', path: './model.gguf' })
    expect(parseModelReference('C:\\models\\a.gguf')).toMatchObject({ kind: 'file' })
    expect(parseModelReference('https://example.org/a.gguf?download=true')).toEqual({
      kind: 'url',
      url: 'https://example.org/a.gguf?download=true',
    })
    expect(parseModelReference('hf:unsloth/Some-GGUF/UD/a.gguf')).toEqual({
      kind: 'url',
      url: 'https://huggingface.co/unsloth/Some-GGUF/resolve/main/UD/a.gguf',
    })
    expect(parseModelReference('hf:owner/repo@abc123/a.gguf')).toMatchObject({
      url: 'https://huggingface.co/owner/repo/resolve/abc123/a.gguf',
    })
    expect(parseModelReference('http://127.0.0.1:11434/v1/')).toEqual({
      kind: 'upstream',
      baseUrl: 'http://127.0.0.1:11434/v1',
    })
  })

  test('may be the name of a file, if there is no such preset', () => {
    expect(parseModelReference('gpt-9')).toEqual({ kind: 'unknown', text: 'gpt-9' })
    expect(noSuchPreset('gpt-9').message).toMatch(
      /There is no preset gpt-9\. Presets: qwen3-0\.6b, qwen3\.5-4b/,
    )
  })

  test.each([
    ['hf:owner/repo', /must look like hf:owner\/repository\/file\.gguf/],
    ['hf:owner/repo/../../x.gguf', /must look like/],
    ['https://example.org/model', /neither a model .* nor a server/],
    ['https://', /is not an address/],
    ['https://user:secret@example.org/v1', /ATRIUM_UPSTREAM_KEY/],
    ['x'.repeat(5_000), /too long/],
  ])('%s is refused with a sentence', (text, why) => {
    expect(() => parseModelReference(text)).toThrow(why)
  })
})
