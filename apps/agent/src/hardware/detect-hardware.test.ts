import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { type ProgramEnd, runProgram } from '../processes/run-program.ts'
import { detectHardware, type HardwareSources, sourcesOfThisMachine } from './detect-hardware.ts'
import { inGibibytes } from './hardware.ts'
import { readPciDisplays } from './pci.ts'
import { cards, controllers, failures, mig, oldDriver, twoCards } from './test/outputs.ts'

const gibibyte = 1_073_741_824
const missing: ProgramEnd = { kind: 'missing' }
const printed = (stdout: string, code = 0): ProgramEnd => ({ kind: 'ended', code, stdout, stderr: '' })

/** A Linux machine with 64 GiB, where nvidia-smi gives this answer. */
const machine = (answer: ProgramEnd, rest: Partial<HardwareSources> = {}): HardwareSources => ({
  platform: 'linux',
  arch: 'x64',
  env: {},
  run: async (file, [first]) => (file !== 'nvidia-smi' ? missing : first === '-L' ? printed('') : answer),
  pci: async () => [],
  graphics: async () => [],
  memory: () => ({ totalBytes: 64 * gibibyte, availableBytes: 60 * gibibyte }),
  cores: () => 16,
  ...rest,
})

/** One where the kernel lists an NVIDIA card, whatever nvidia-smi says. */
const withCard = (answer: ProgramEnd) =>
  machine(answer, { pci: async () => [{ vendorId: 0x10de, address: '0000:01:00.0' }] })

describe('[AG50] nvidia-smi tells about', () => {
  test.each([
    ['RTX 3060', 'NVIDIA GeForce RTX 3060', '12 GiB'],
    ['RTX 3090', 'NVIDIA GeForce RTX 3090', '24 GiB'],
    ['RTX 4090', 'NVIDIA GeForce RTX 4090', '24 GiB'],
    ['RTX 5090', 'NVIDIA GeForce RTX 5090', '32 GiB'],
    ['A10G', 'NVIDIA A10G', '22 GiB'],
    ['L4', 'NVIDIA L4', '22 GiB'],
    ['L40S', 'NVIDIA L40S', '45 GiB'],
    ['T4', 'Tesla T4', '15 GiB'],
    ['A100 40 GB', 'NVIDIA A100-SXM4-40GB', '40 GiB'],
    ['A100 80 GB', 'NVIDIA A100-SXM4-80GB', '80 GiB'],
    ['H100', 'NVIDIA H100 80GB HBM3', '80 GiB'],
    ['H200', 'NVIDIA H200', '140 GiB'],
  ] as const)('%s: its name, memory and driver', async (card, name, memory) => {
    const { gpus, warnings } = await detectHardware(machine(printed(cards[card])))
    expect(gpus).toMatchObject([{ name, vendor: 'nvidia', isUnified: false }])
    expect(inGibibytes(gpus[0]?.memoryBytes ?? 0)).toBe(memory)
    expect(gpus[0]?.driverVersion).toMatch(/^\d{3}\.\d+/)
    expect(gpus[0]?.computeCapability).toBeGreaterThanOrEqual(7.5)
    expect(gpus[0]?.freeBytes).toBeLessThan(gpus[0]?.memoryBytes ?? 0)
    expect(warnings).toEqual([])
  })

  test('a card without free memory', async () => {
    const output = cards.L4.replace('23034, 22563', '23034, 0')
    const { gpus } = await detectHardware(machine(printed(output)))
    expect(gpus).toMatchObject([{ name: 'NVIDIA L4', freeBytes: 0 }])
  })

  test('a GPU that shares the memory of the machine', async () => {
    const output = cards['GB10 (memory shared with the processor)']
    const { gpus } = await detectHardware(machine(printed(output)))
    expect(gpus).toMatchObject([{ name: 'NVIDIA GB10', memoryBytes: 64 * gibibyte, isUnified: true }])
  })

  test('two cards, also different ones', async () => {
    const same = await detectHardware(machine(printed(twoCards['two L40S'])))
    expect(same.gpus.map(({ name, uuid }) => [name, uuid])).toEqual([
      ['NVIDIA L40S', 'GPU-aa01'],
      ['NVIDIA L40S', 'GPU-aa02'],
    ])
    const other = await detectHardware(machine(printed(twoCards['two different cards'])))
    expect(other.gpus.map(({ memoryBytes }) => inGibibytes(memoryBytes))).toEqual(['24 GiB', '12 GiB'])
  })

  test('cards with a driver that does not know every field', async () => {
    const { gpus } = await detectHardware(
      machine(missing, {
        run: async (_, [query = '']) =>
          query === '-L'
            ? printed('')
            : query.includes('compute_cap')
              ? printed(oldDriver.refusal, 2)
              : printed(oldDriver.answer),
      }),
    )
    expect(gpus).toMatchObject([{ name: 'Tesla V100-SXM2-16GB', driverVersion: '450.51.06' }])
  })

  test('lines that it has never printed are left out', async () => {
    const { gpus } = await detectHardware(machine(printed(`hello\n,,,\n${cards.T4}0, x\n`)))
    expect(gpus).toHaveLength(1)
  })
})

describe('[AG51] slices of a card (MIG)', () => {
  const sliced = (listing: string, output: string, env = {}) =>
    machine(missing, {
      env,
      run: async (_, [first]) => printed(first === '-L' ? listing : output),
    })

  test('are used instead of the card, one at a time', async () => {
    const { gpus, warnings } = await detectHardware(sliced(mig.listing, mig.cards))
    expect(gpus).toMatchObject([{ name: 'NVIDIA A100-SXM4-80GB', slice: '7g.80gb' }])
    expect(inGibibytes(gpus[0]?.memoryBytes ?? 0)).toBe('76 GiB')
    expect(warnings).toEqual([
      expect.stringMatching(/one MIG slice.*CUDA_VISIBLE_DEVICES.*2g\.20gb \(MIG-ec4c/),
    ])
  })

  test.each([
    ['MIG-000d40d3-5924-5906-9879-8b69bf58689b', '1g.20gb', '19 GiB'],
    ['MIG-676485be', '1g.10gb+me', '9.5 GiB'],
    ['4', '1c.3g.40gb', '38 GiB'],
  ])('are chosen with CUDA_VISIBLE_DEVICES=%s', async (visible, slice, memory) => {
    const env = { CUDA_VISIBLE_DEVICES: visible }
    const { gpus } = await detectHardware(sliced(mig.listing, mig.cards, env))
    expect(gpus).toMatchObject([{ slice }])
    expect(inGibibytes(gpus[0]?.memoryBytes ?? 0)).toBe(memory)
  })

  test('are found under the names of old drivers', async () => {
    const card =
      '0, GPU-9de3d0e8-33f5-10dc-0c79-2c88a7ab0a23, A100-PCIE-40GB, 40536, 40000, 460.80, 8.0, Enabled\n'
    const { gpus } = await detectHardware(sliced(mig.oldListing, card))
    expect(gpus).toMatchObject([{ slice: '4g.20gb' }])
  })

  test('a card in MIG mode without slices offers nothing', async () => {
    expect((await detectHardware(sliced('', mig.cards))).gpus).toEqual([])
  })
})

test('[AG51] CUDA_VISIBLE_DEVICES hides cards, as it does for every program', async () => {
  const seen = async (visible: string) => {
    const env = { CUDA_VISIBLE_DEVICES: visible }
    return (await detectHardware(machine(printed(twoCards['two L40S']), { env }))).gpus.map(
      ({ uuid }) => uuid,
    )
  }
  expect(await seen('1')).toEqual(['GPU-aa02'])
  expect(await seen('1,0')).toEqual(['GPU-aa02', 'GPU-aa01'])
  expect(await seen('GPU-aa01')).toEqual(['GPU-aa01'])
  expect(await seen('0,7,1')).toEqual(['GPU-aa01'])
  expect(await seen('')).toEqual([])
  expect(await seen('-1')).toEqual([])
})

describe('[AG52] a GPU that cannot be used is told apart from none', () => {
  test.each(Object.entries(failures))('%s', async (_, { code, output, says }) => {
    const { gpus, unusableGpu } = await detectHardware(withCard(printed(output, code)))
    expect(gpus).toEqual([])
    expect(unusableGpu).toMatch(says)
    expect(unusableGpu).toContain('There is a GPU (NVIDIA, at PCI address 0000:01:00.0)')
    expect((await detectHardware(machine(printed(output, code)))).unusableGpu).toBeUndefined()
  })

  test('no driver at all', async () => {
    const { unusableGpu } = await detectHardware(withCard(missing))
    expect(unusableGpu).toMatch(/driver is not installed.*nvidia\.com.*add --cpu/)
    expect((await detectHardware(machine(missing))).unusableGpu).toBeUndefined()
  })

  test('a driver that hangs', async () => {
    const { unusableGpu } = await detectHardware(withCard({ kind: 'timeout' }))
    expect(unusableGpu).toMatch(/does not answer.*Restart/)
  })

  test('also where only the system knows the card', async () => {
    const sources = machine(missing, { platform: 'win32', graphics: async () => controllers.nvidia })
    expect((await detectHardware(sources)).unusableGpu).toContain('GeForce RTX 3090')
  })
})

describe('[AG53] other GPUs', () => {
  const found = async (rest: Partial<HardwareSources>) => (await detectHardware(machine(missing, rest))).gpus

  test('Apple silicon uses the memory of the machine; Macs with Intel processors have no GPU for models', async () => {
    const apple = { platform: 'darwin', graphics: async () => controllers.appleM3Max }
    expect(await found({ ...apple, arch: 'arm64' })).toEqual([
      { name: 'Apple M3 Max', vendor: 'apple', memoryBytes: 64 * gibibyte, isUnified: true },
    ])
    expect(await found({ ...apple, arch: 'x64' })).toEqual([])
    expect(
      await found({ platform: 'darwin', arch: 'arm64', graphics: () => Promise.reject(new Error()) }),
    ).toMatchObject([{ name: 'Apple silicon' }])
  })

  test('AMD: the kernel knows the memory, lspci only a window', async () => {
    const pci = async () => [
      { vendorId: 0x1002, address: '0000:03:00.0', vramBytes: 24 * gibibyte, vramUsedBytes: gibibyte },
    ]
    expect(await found({ graphics: async () => controllers.amd, pci })).toEqual([
      {
        name: 'Navi 31 [Radeon RX 7900 XTX]',
        vendor: 'amd',
        memoryBytes: 24 * gibibyte,
        freeBytes: 23 * gibibyte,
        isUnified: false,
      },
    ])
  })

  test('Intel: cards count, GPUs in a processor do not', async () => {
    expect(await found({ graphics: async () => controllers.intelBuiltIn })).toEqual([])
    expect(await found({ graphics: async () => controllers.intelArc })).toMatchObject([
      { name: 'Intel Arc A770', memoryBytes: 16 * gibibyte },
    ])
  })
})

test('[AG52] Linux lists cards with and without a driver', async () => {
  const folder = createTemporaryFolder('agent-pci')
  const device = async (address: string, files: Record<string, string>) => {
    await mkdir(join(folder.path, address))
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder.path, address, name), `${text}\n`)
  }
  await device('0000:01:00.0', { vendor: '0x10de', class: '0x030200' })
  await device('0000:03:00.0', { vendor: '0x1002', class: '0x030000', mem_info_vram_total: '25753026560' })
  await device('0000:04:00.0', { vendor: '0x10de', class: '0x040300' })
  await device('0000:05:00.0', { class: '0x030000' })
  expect(await readPciDisplays(folder.path)).toEqual([
    { vendorId: 0x10de, address: '0000:01:00.0' },
    { vendorId: 0x1002, address: '0000:03:00.0', vramBytes: 25_753_026_560 },
  ])
  expect(await readPciDisplays(join(folder.path, 'nowhere'))).toEqual([])
  folder.remove()
})

test('[AG50] this machine is described, whatever it has', async () => {
  const sources = sourcesOfThisMachine(process.env)
  const { ramBytes, ramAvailableBytes, cores, gpus } = await detectHardware(sources)
  expect(ramBytes).toBeGreaterThan(gibibyte / 2)
  expect(ramAvailableBytes).toBeLessThanOrEqual(ramBytes)
  expect(cores).toBeGreaterThan(0)
  for (const { memoryBytes } of gpus) expect(memoryBytes).toBeGreaterThan(0)
})

test('[AG50] programs that are missing, fail or hang are answers', async () => {
  expect(await runProgram('no-such-program-anywhere', [])).toEqual({ kind: 'missing' })
  const node = process.execPath
  expect(await runProgram(node, ['-e', 'console.log(1); process.exit(3)'])).toMatchObject({
    code: 3,
    stdout: '1\n',
  })
  // timing: the limit itself is what is tested
  const hanging = runProgram(node, ['-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 300 })
  expect(await hanging).toEqual({ kind: 'timeout' })
})

test('[AG50] memory is rounded, not cut off', () => {
  expect(inGibibytes(24_564 * 1_048_576)).toBe('24 GiB')
  expect(inGibibytes(9.5 * gibibyte)).toBe('9.5 GiB')
  expect(inGibibytes(512 * 1_048_576)).toBe('512 MiB')
})
