import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Gpu, Hardware } from '../hardware/index.ts'
import { choosePreset, sizeOf } from './choose-preset.ts'
import { neededBytes } from './memory.ts'
import { presets } from './presets.ts'

const mebibyte = 1_048_576
const gibibyte = 1_024 * mebibyte

const card = (name: string, totalMebibytes: number, vendor: Gpu['vendor'] = 'nvidia'): Gpu => ({
  name,
  vendor,
  memoryBytes: totalMebibytes * mebibyte,
  isUnified: vendor === 'apple',
})

const machine = (gpus: Gpu[], ramGibibytes = 32): Hardware => ({
  platform: 'linux',
  arch: 'x64',
  gpus,
  ramBytes: ramGibibytes * gibibyte,
  ramAvailableBytes: ramGibibytes * gibibyte,
  cores: 16,
  warnings: [],
})

const choose = (hardware: Hardware, wish: { ctx?: number; parallel?: number; mtp?: boolean } = {}) =>
  choosePreset({ hardware, ctx: 32_768, parallel: 8, mtp: false, ...wish })

describe('[AG60] the largest preset that serves half of the requests is chosen', () => {
  test.each([
    ['RTX 3060', 12_288, 'qwen3.5-9b', 5],
    ['T4', 15_360, 'qwen3.5-9b-q6', 6],
    ['A10G', 23_028, 'qwen3.5-9b-q6', 8],
    ['RTX 4090', 24_564, 'qwen3.5-9b-q6', 8],
    ['RTX 5090', 32_607, 'qwen3.6-27b-q6', 4],
    ['A100 40 GB', 40_960, 'qwen3.6-27b-q8', 5],
    ['L40S', 46_068, 'qwen3.6-27b-q8', 7],
    ['H100', 81_559, 'qwen3.6-27b-q8', 8],
    ['H200', 143_771, 'qwen3.6-27b-q8', 8],
  ])('%s', (name, memory, preset, parallel) => {
    const choice = choose(machine([card(name, memory)]))
    expect(choice).toMatchObject({ kind: 'chosen', preset: { name: preset }, parallel, ctx: 32_768 })
  })

  test('two cards hold one model together', () => {
    const one = choose(machine([card('L4', 23_034)]))
    const two = choose(machine([card('L4', 23_034), card('L4', 23_034)]))
    expect(one).toMatchObject({ preset: { name: 'qwen3.5-9b-q6' } })
    expect(two).toMatchObject({ preset: { name: 'qwen3.6-27b-q8' }, place: { devices: 2, name: '2 × L4' } })
  })

  test('Apple silicon leaves a third or a quarter of its memory to others', () => {
    expect(choose(machine([card('Apple M2', 16_384, 'apple')], 16))).toMatchObject({
      preset: { name: 'qwen3.5-4b' },
      place: { kind: 'gpu' },
    })
    expect(choose(machine([card('Apple M3 Max', 65_536, 'apple')], 64))).toMatchObject({
      preset: { name: 'qwen3.6-27b-q8' },
    })
  })

  test('without a GPU, the smallest preset runs on the processor', () => {
    expect(choose(machine([], 256))).toMatchObject({ preset: { name: 'qwen3.5-4b' }, place: { kind: 'cpu' } })
  })

  test('memory that something else uses does not count', () => {
    const busy = { ...card('RTX 4090', 24_564), freeBytes: 9 * gibibyte }
    expect(choose(machine([busy]))).toMatchObject({ preset: { name: 'qwen3.5-4b' } })
  })
})

describe('[AG61] what does not fit is lowered: requests first, then context', () => {
  test('fewer requests at the same time', () => {
    const choice = choose(machine([card('GTX 1660', 6_144)], 4))
    expect(choice).toMatchObject({ preset: { name: 'qwen3.5-4b' }, parallel: 2, ctx: 32_768 })
    expect(choice.reason).toMatch(/--parallel 8 does not fit/)
  })

  test('then less context', () => {
    const choice = choose(machine([card('a small card', 4_608)], 4))
    expect(choice).toMatchObject({ preset: { name: 'qwen3.5-4b' }, parallel: 1, ctx: 16_384 })
    expect(choice.reason).toMatch(/--ctx 32768 does not fit, even for one request/)
  })

  test('then nothing', () => {
    const choice = choose(machine([], 2))
    expect(choice.kind).toBe('nothing-fits')
    expect(choice.reason).toMatch(/No preset fits: the RAM can give 1\.5 GiB.*--upstream/)
  })

  test('without a GPU, --mtp is refused with its reason, however much RAM there is', () => {
    const choice = choose(machine([], 24), { mtp: true })
    expect(choice).toMatchObject({ kind: 'nothing-fits', reason: expect.stringContaining('for a GPU only') })
    expect(choice.reason).not.toContain('GiB')
  })

  test('the reason names what a larger model would cost', () => {
    expect(choose(machine([card('RTX 4090', 24_564)])).reason).toMatch(
      /larger model fits.*--model qwen3\.6-35b-a3b --parallel 2/,
    )
  })
})

describe('[AG62] --mtp', () => {
  const mtpFamily = presets.filter(({ kvBytesPerTokenMtp }) => kvBytesPerTokenMtp !== undefined)

  test('is for the Qwen3.6 family, all of it and nothing else', () => {
    expect(mtpFamily).toEqual(presets.filter(({ family }) => family === 'qwen3.6'))
  })

  test('is chosen within its family, also where a smaller family would serve more', () => {
    expect(choose(machine([card('RTX 4090', 24_564)]), { mtp: true })).toMatchObject({
      preset: { name: 'qwen3.6-27b' },
      parallel: 3,
    })
    expect(choose(machine([card('RTX 3060', 12_288)]), { mtp: true }).reason).toMatch(/Leave out --mtp/)
  })
})

describe('properties of the choice', () => {
  const gpuMebibytes = fc.integer({ min: 0, max: 200_000 })
  const wish = fc.record({
    ctx: fc.constantFrom(4_096, 8_192, 32_768, 131_072, 262_144),
    parallel: fc.integer({ min: 1, max: 64 }),
    mtp: fc.boolean(),
  })
  const ram = fc.integer({ min: 1, max: 512 })
  const gpus = (sizes: number[]) => sizes.map((size) => card('a card', size))
  const rankOf = (choice: ReturnType<typeof choosePreset>) =>
    choice.kind === 'chosen' ? presets.indexOf(choice.preset) : -1

  test('[AG63] nothing is chosen that does not fit, or that was not asked for', () => {
    fc.assert(
      fc.property(fc.array(gpuMebibytes, { maxLength: 4 }), ram, wish, (sizes, ramGibibytes, given) => {
        const choice = choose(machine(gpus(sizes), ramGibibytes), given)
        if (choice.kind === 'nothing-fits') {
          const [gives, needs] = [...choice.reason.matchAll(/([\d.]+) GiB/g)].map(([, figure]) =>
            Number(figure),
          )
          expect(gives ?? 0).toBeLessThanOrEqual(needs ?? 0)
          return true
        }
        const { preset, ctx, parallel, place } = choice
        const needed = neededBytes(sizeOf(preset, given.mtp), ctx, parallel, place)
        expect(needed).toBe(choice.neededBytes)
        expect(needed).toBeLessThanOrEqual(place.bytes)
        expect(ctx).toBeLessThanOrEqual(given.ctx)
        expect(parallel).toBeLessThanOrEqual(given.parallel)
        expect(parallel).toBeGreaterThan(0)
        // Context is lowered only where not even one request of full length fits.
        if (ctx < given.ctx)
          expect(neededBytes(sizeOf(preset, given.mtp), given.ctx, 1, place)).toBeGreaterThan(place.bytes)
        expect(!given.mtp || preset.family === 'qwen3.6').toBe(true)
        expect(place.kind === 'gpu' || preset.isForCpu).toBe(true)
        return true
      }),
    )
  })

  test('[AG63] more memory never means a smaller model', () => {
    fc.assert(
      fc.property(
        gpuMebibytes,
        gpuMebibytes,
        ram,
        fc.nat(64),
        wish,
        (size, more, ramGibibytes, moreRam, given) => {
          const before = choose(machine(gpus([size]), ramGibibytes), given)
          const after = choose(machine(gpus([size + more]), ramGibibytes + moreRam), given)
          expect(rankOf(after)).toBeGreaterThanOrEqual(rankOf(before))
        },
      ),
    )
  })

  test('[AG63] fewer requests, or shorter ones, never mean a smaller model', () => {
    fc.assert(
      fc.property(gpuMebibytes, ram, wish, (size, ramGibibytes, given) => {
        const hardware = machine(gpus([size]), ramGibibytes)
        const before = rankOf(choose(hardware, given))
        expect(rankOf(choose(hardware, { ...given, ctx: given.ctx / 2 }))).toBeGreaterThanOrEqual(before)
        const half = Math.max(1, Math.floor(given.parallel / 2))
        expect(rankOf(choose(hardware, { ...given, parallel: half }))).toBeGreaterThanOrEqual(before)
      }),
    )
  })
})

test('[AG64] each preset needs more memory than the one before, and every figure says where it is from', () => {
  const place = { kind: 'gpu', bytes: 0, devices: 1, name: '' } as const
  const chosen = presets.filter(({ isChosen }) => isChosen)
  for (const ctx of [512, 32_768, 262_144]) {
    const needs = chosen.map((preset) => neededBytes(sizeOf(preset, false), ctx, 1, place))
    if (ctx <= 32_768) expect(needs).toEqual(needs.toSorted((one, other) => one - other))
  }
  for (const preset of presets) {
    expect(preset.source.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(preset.source.revision).toMatch(/^[0-9a-f]{40}$/)
    for (const figure of [preset.weightsBytes, preset.kvBytesPerToken, preset.layers, preset.nativeContext])
      expect(['measured', 'cited', 'calculated']).toContain(figure.basis)
  }
  expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length)
})
