import { fromMebibytes, type Gpu } from './hardware.ts'

/** Asked for by name and in this order. Drivers before 470 do not know those in `newerFields`. */
const fields = ['index', 'uuid', 'name', 'memory.total', 'memory.free', 'driver_version'] as const
const newerFields = ['compute_cap', 'mig.mode.current'] as const

export const queryArguments = (isOldDriver: boolean): string[] => [
  `--query-gpu=${[...fields, ...(isOldDriver ? [] : newerFields)].join(',')}`,
  '--format=csv,noheader,nounits',
]

/** What an old driver says to a field that it does not know. */
export const isUnknownField = (output: string): boolean => /is not a valid field to query/i.test(output)

interface NvidiaCard {
  index: number
  uuid: string
  name: string
  /** Undefined where the GPU shares the RAM of the machine, or where a container may not know. */
  totalMebibytes?: number
  freeMebibytes?: number
  driverVersion?: string
  computeCapability?: number
  hasSlices: boolean
}

/** More cards than any machine has. */
const maxCards = 64

/** Reads the CSV of `queryArguments`; lines that are something else are left out. */
export function parseCards(output: string): NvidiaCard[] {
  return output
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.trim()))
    .filter((cells) => cells.length >= fields.length && /^\d+$/.test(cells[0] ?? ''))
    .slice(0, maxCards)
    .map(([index, uuid = '', name = '', total, free, driver, capability, migMode]) => ({
      index: Number(index),
      uuid,
      name,
      ...optional('totalMebibytes', positiveIn(total)),
      ...optional('freeMebibytes', numberIn(free)),
      ...optional('driverVersion', driver === undefined || driver.startsWith('[') ? undefined : driver),
      ...optional('computeCapability', positiveIn(capability)),
      hasSlices: migMode === 'Enabled',
    }))
}

/** `[N/A]`, `[Not Supported]` and `[Insufficient Permissions]` are no numbers. */
function numberIn(cell: string | undefined): number | undefined {
  const value = Number((cell ?? '').replace(/\s*MiB$/, ''))
  return cell !== undefined && cell !== '' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** A card whose memory is full has none free, but nothing has a size of 0. */
const positiveIn = (cell: string | undefined): number | undefined => numberIn(cell) || undefined

type Optional<Name extends string, Value> = { [key in Name]?: Value }
const optional = <Name extends string, Value>(name: Name, value: Value | undefined): Optional<Name, Value> =>
  value === undefined ? {} : ({ [name]: value } as Optional<Name, Value>)

interface MigSlice {
  cardUuid: string
  profile: string
  uuid: string
  nominalGigabytes: number
}

/** Reads `nvidia-smi -L`, where slices follow their card. */
export function parseSlices(output: string): MigSlice[] {
  const slices: MigSlice[] = []
  let cardUuid = ''
  for (const line of output.split('\n').slice(0, 1_024)) {
    const card = /^GPU \d+: .*\(UUID: (GPU-[^)\s]+)\)/.exec(line)
    if (card) cardUuid = card[1] ?? ''
    const slice = /^\s+MIG (\S+)\s+Device\s+\d+:\s+\(UUID: (MIG-[^)\s]+)\)/.exec(line)
    const [, profile = '', uuid = ''] = slice ?? []
    const size = /(\d+)gb/.exec(profile)
    if (slice && size) slices.push({ cardUuid, profile, uuid, nominalGigabytes: Number(size[1]) })
  }
  return slices
}

/** A slice has a little less than its name says. That it has 95 % of it is an assumption: we had no card in MIG mode. */
const sliceShare = 0.95

/**
 * The devices of these cards. A card in MIG mode can only be used by its slices, so it is not listed itself.
 * `unifiedBytes` is the RAM, which a card without a memory of its own uses (GB10, Jetson).
 */
export function devicesOf(cards: NvidiaCard[], slices: MigSlice[], unifiedBytes: number): Gpu[] {
  return cards.flatMap((card): Gpu[] => {
    const common = {
      vendor: 'nvidia' as const,
      ...optional('driverVersion', card.driverVersion),
      ...optional('computeCapability', card.computeCapability),
    }
    const own = slices.filter(({ cardUuid }) => cardUuid === card.uuid)
    if (card.hasSlices || own.length > 0)
      return own.map(({ profile, uuid, nominalGigabytes }) => ({
        ...common,
        name: card.name,
        uuid,
        slice: profile,
        memoryBytes: fromMebibytes(Math.floor(nominalGigabytes * 1_024 * sliceShare)),
        isUnified: false,
      }))
    const { totalMebibytes, freeMebibytes } = card
    const isUnified = totalMebibytes === undefined
    return [
      {
        ...common,
        name: card.name,
        uuid: card.uuid,
        memoryBytes: isUnified ? unifiedBytes : fromMebibytes(totalMebibytes),
        ...optional('freeBytes', freeMebibytes === undefined ? undefined : fromMebibytes(freeMebibytes)),
        isUnified,
      },
    ]
  })
}

/**
 * What programs that use CUDA will see: nvidia-smi itself ignores CUDA_VISIBLE_DEVICES. Without it, all cards, or only the
 * first slice, because CUDA gives a program one slice.
 */
export function visibleDevices(devices: Gpu[], visible: string | undefined): Gpu[] {
  const first = devices[0]
  if (visible === undefined) return first?.slice === undefined ? devices : [first]
  const wanted = visible.split(',').map((entry) => entry.trim())
  // CUDA stops at the first entry that it does not know; an empty value hides everything.
  const found: Gpu[] = []
  for (const entry of wanted) {
    const device = /^\d+$/.test(entry)
      ? devices[Number(entry)]
      : devices.find(({ uuid }) => entry !== '' && uuid?.startsWith(entry))
    if (device === undefined) break
    found.push(device)
  }
  return found[0]?.slice === undefined ? found : found.slice(0, 1)
}
