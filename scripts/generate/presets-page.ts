import { type Basis, choosePreset, type Preset, presets } from '../../apps/agent/src/presets/index.ts'
import { markdownFile, table } from './markdown.ts'

const mebibyte = 1_048_576
const defaults = { ctx: 32_768, parallel: 8 } as const

/** Marks of the figures, as the page explains them. */
const marks: Record<Basis, string> = { measured: 'ᵐ', cited: 'ᶜ', calculated: 'ᵏ' }

type Figure = Preset['weightsBytes']

export function presetsPage(): string {
  return markdownFile([
    '# Models of `atrium-agent serve`',
    `${marks.measured} measured by us, ${marks.cited} cited from what others have published, ${marks.calculated} calculated from cited figures. So far nothing is measured: no preset has been run by us on a GPU. How to use them: [Run your own model for your study](../own-model.md).`,
    '## By GPU memory',
    `What \`serve\` chooses with its defaults, ${defaults.parallel} requests of ${defaults.ctx} tokens at the same time, if all memory of the GPU is free. All of it is calculated${marks.calculated}, with assumptions about what drivers and the engine take; check with \`verify\` on such a machine before you buy.`,
    table(['GPU', 'Memory', 'Preset', 'Requests at the same time', 'With `--mtp`'], cards.map(cardRow)),
    `The largest preset is chosen that serves at least ${defaults.parallel / 2} requests. So more memory can mean fewer requests: a card with 24 GB serves ${defaults.parallel} with a small model, and one with 32 GB serves ${defaults.parallel / 2} with a model three times as large. To have more requests instead, name the smaller preset (\`--model qwen3.5-9b-q6\`) or shorten them (\`--ctx 16384\`).`,
    'Two cards of the same kind hold one model together; that they do so at a useful speed is unknown. Cards of AMD and Apple silicon with as much memory get the same presets, but of the RAM of Apple silicon only two thirds count, and three quarters above 36 GiB.',
    '## Presets',
    'From the smallest to the largest. Keys and values are for one token, in 16 bits; together with a fixed state, they are needed for each request. “Chosen with” is the free memory of one GPU with which `serve` chooses the preset by default, calculatedᵏ; presets that it never chooses can be named with `--model`. `qwen3.6-35b-a3b` needs little for each request, so that it serves enough of them on less memory than the smaller `qwen3.6-27b`, which is left for `--mtp`; and no card of the table above has the memory for which it is chosen. With `--mtp`, answers come 1.4 to 2.3 times faster: citedᶜ from the contract.',
    table(
      [
        'Preset',
        'Parameters',
        'File',
        'Layers',
        'Keys and values',
        'State',
        'Context',
        'Chosen with',
        '`--mtp`',
        'Tool calling',
      ],
      presets.map(presetRow),
    ),
    'Checksums and the exact revision of each file are in `apps/agent/src/presets/presets.ts`.',
  ])
}

const shown = ({ value, basis }: Figure, unit: (value: number) => string): string =>
  `${unit(value)}${marks[basis]}`
const gigabytes = (value: number): string => `${(value / 1e9).toFixed(1)} GB`
const kibibytes = (value: number): string => `${Math.round(value / 1_024)} KiB`
const mebibytes = (value: number): string => `${Math.round(value / mebibyte)} MiB`

const presetRow = (preset: Preset): string[] => [
  `\`${preset.name}\``,
  preset.parameters,
  `${preset.quantisation}, ${shown(preset.weightsBytes, gigabytes)}`,
  shown(preset.layers, String),
  shown(preset.kvBytesPerToken, kibibytes),
  preset.stateBytesPerRequest.value === 0 ? 'none' : shown(preset.stateBytesPerRequest, mebibytes),
  shown(preset.nativeContext, String),
  memoryFor(preset),
  preset.kvBytesPerTokenMtp === undefined ? 'no' : 'yes',
  preset.toolCalling,
]

/** What `nvidia-smi` reports, in MiB. */
const cards: [name: string, memory: string, totalMebibytes: number, count?: number][] = [
  ['any with 6 GB', '6 GB', 6_144],
  ['any with 8 GB', '8 GB', 8_192],
  ['RTX 3060, RTX 4070', '12 GB', 12_288],
  ['T4', '16 GB', 15_360],
  ['RTX 4080, RTX 5080', '16 GB', 16_376],
  ['A10G, L4', '24 GB', 23_028],
  ['RTX 3090, RTX 4090', '24 GB', 24_564],
  ['RTX 5090', '32 GB', 32_607],
  ['A100 40 GB', '40 GB', 40_960],
  ['L40S, RTX 6000 Ada', '48 GB', 46_068],
  ['A100 80 GB, H100', '80 GB', 81_559],
  ['H200', '141 GB', 143_771],
  ['2 × A10G, 2 × L4', '2 × 24 GB', 23_028, 2],
  ['2 × RTX 3090, 2 × RTX 4090', '2 × 24 GB', 24_564, 2],
]

/** Cards of one kind, all of their memory free, in a machine with so little RAM that only they count. */
function choiceFor(
  totalMebibytes: number,
  { count = 1, mtp = false }: { count?: number; mtp?: boolean } = {},
) {
  const gpu = {
    name: 'a card',
    vendor: 'nvidia',
    memoryBytes: totalMebibytes * mebibyte,
    isUnified: false,
  } as const
  const ram = { ramBytes: mebibyte, ramAvailableBytes: mebibyte }
  const gpus = Array.from({ length: count }, () => gpu)
  const hardware = { platform: 'linux', arch: 'x64', gpus, cores: 8, warnings: [], ...ram }
  return choosePreset({ hardware, ...defaults, mtp })
}

function cardRow([name, memory, totalMebibytes, count = 1]: (typeof cards)[number]): string[] {
  const plain = choiceFor(totalMebibytes, { count })
  const mtp = choiceFor(totalMebibytes, { count, mtp: true })
  return [
    name,
    memory,
    plain.kind === 'chosen' ? `\`${plain.preset.name}\`` : 'none',
    plain.kind === 'chosen' ? String(plain.parallel) : '',
    mtp.kind === 'chosen' ? `\`${mtp.preset.name}\`, ${mtp.parallel}` : 'does not fit',
  ]
}

/** Steps and end of the search for the memory with which a preset is chosen. */
const stepMebibytes = 64
const maxMebibytes = 65_536

function memoryFor(preset: Preset): string {
  const sizes = Array.from(
    { length: maxMebibytes / stepMebibytes },
    (_, index) => (index + 1) * stepMebibytes,
  )
  const fitting = sizes.filter((size) => {
    const choice = choiceFor(size)
    return choice.kind === 'chosen' && choice.preset === preset
  })
  const [min] = fitting
  const max = fitting.at(-1)
  if (min === undefined || max === undefined) return 'never by itself'
  const from = `${(min / 1_024).toFixed(1)} GiB`
  return max === maxMebibytes ? `${from} or more` : `${from} to ${(max / 1_024).toFixed(1)} GiB`
}
