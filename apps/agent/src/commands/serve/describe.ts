import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { UserFolders } from '../../files/index.ts'
import { type Gpu, type Hardware, inExactGibibytes, inGibibytes, inGigabytes } from '../../hardware/index.ts'
import type { EnginePlan } from './engine-plan.ts'
import type { ModelPlan } from './model-plan.ts'

interface Described {
  hardware: Hardware
  model: ModelPlan
  engine: EnginePlan | undefined
  folders: UserFolders
}

/** What `--dry-run` shows to a person. */
export async function describePlan({ hardware, model, engine, folders }: Described): Promise<string> {
  const free = await freeBytesAt(folders.cache)
  const rows: [string, string][] = [
    ...(hardware.gpus.length === 0
      ? [['GPU', 'none'] as [string, string]]
      : hardware.gpus.map((gpu): [string, string] => ['GPU', describeGpu(gpu)])),
    [
      'RAM',
      `${inExactGibibytes(hardware.ramBytes)}, of which ${inExactGibibytes(hardware.ramAvailableBytes)} are available`,
    ],
    ['Processor', `${hardware.cores} threads`],
    ['Disk', `${free === undefined ? 'unknown' : inGigabytes(free)} free for ${folders.cache}`],
    ['Model', describeModel(model)],
    ...(model.kind === 'local' && model.reason ? [['Why', model.reason] as [string, string]] : []),
    ['Engine', engine === undefined ? 'the server that runs the model' : describeEngine(engine)],
    ['API key', `kept in ${join(folders.config, 'config.json')}`],
    ...[...notesOf(hardware), ...speedNote(model, hardware)].map((note): [string, string] => ['Note', note]),
  ]
  return rows.map(([name, text]) => `${name.padEnd(10)}${text}\n`).join('')
}

const notesOf = ({ unusableGpu, warnings }: Hardware): string[] =>
  unusableGpu === undefined ? warnings : [unusableGpu, ...warnings]

/** At most one. A model whose place is not known yet goes where there is room: without a GPU that is the processor. */
export function speedNote(model: ModelPlan, { gpus }: Hardware): string[] {
  if (model.kind !== 'local') return []
  const place = model.fit?.place.kind ?? (gpus.length === 0 ? 'cpu' : 'gpu')
  return place === 'gpu'
    ? []
    : [
        'The model runs on the processor: without a GPU answers take long, and may take longer than the 60 s that the platform waits by default. Run verify before a study; fewer requests at the same time (--parallel) are quicker.',
      ]
}

/** The same for programs, on one line. */
export async function planAsJson({ hardware, model, engine, folders }: Described): Promise<string> {
  return JSON.stringify({
    event: 'plan',
    notes: speedNote(model, hardware),
    hardware: { ...hardware, diskFreeBytes: await freeBytesAt(folders.cache) },
    model:
      model.kind === 'upstream'
        ? model
        : {
            kind: model.kind,
            name: model.name,
            source: model.source,
            reason: model.reason,
            ctx: model.fit?.ctx,
            parallel: model.fit?.parallel,
            neededBytes: model.fit?.neededBytes,
            device: model.fit?.place.kind,
          },
    engine: engine?.kind ?? 'upstream',
  })
}

function describeGpu({ name, slice, memoryBytes, freeBytes, isUnified, driverVersion }: Gpu): string {
  const memory = isUnified
    ? `${inGibibytes(memoryBytes)} shared with the processor`
    : inGibibytes(memoryBytes)
  return [
    slice === undefined ? name : `${name}, MIG slice ${slice}`,
    memory,
    ...(freeBytes === undefined ? [] : [`${inGibibytes(freeBytes)} free`]),
    ...(driverVersion === undefined ? [] : [`driver ${driverVersion}`]),
  ].join(', ')
}

function describeModel(plan: ModelPlan): string {
  if (plan.kind === 'upstream') return `${plan.model ?? 'what is there'}, at ${plan.baseUrl}`
  const { name, source, preset, fit } = plan
  const facts = preset ? ` (${preset.parameters}, ${preset.quantisation})` : ''
  const size = fit ? `; ${fit.parallel} requests of ${fit.ctx} tokens at the same time` : ''
  if (source.kind === 'file') return `${name}${facts}, ${source.path}${size}`
  const bytes = source.bytes === undefined ? '' : `, ${inGigabytes(source.bytes)}`
  return `${name}${facts}${bytes}, from ${source.url}${size}`
}

function describeEngine(plan: EnginePlan): string {
  switch (plan.kind) {
    case 'llama-server':
      return `llama-server, ${plan.binary}`
    case 'node-llama-cpp':
      return 'node-llama-cpp, which was installed before; llama-server is faster (--engine llama-server)'
    case 'fetch-llama-server':
      return `llama-server (llama.cpp ${plan.build.name}), which is downloaded once you agree`
    case 'install-node-llama-cpp':
      return 'node-llama-cpp, which is installed once you agree'
  }
}

/** Of the disk on which a folder is, or is going to be. */
async function freeBytesAt(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch {
    return dirname(path) === path ? undefined : freeBytesAt(dirname(path))
  }
}
