import { unpackRelease } from '../../download/index.ts'
import { Misuse } from '../../misuse.ts'
import { oneLine } from '../../one-line.ts'
import type { RunProgram } from '../../processes/index.ts'
import { type Compute, type EnginePlan, serverName } from './engine-plan.ts'
import type { ServeFlags } from './flags.ts'
import type { LlamaBuild } from './llama-builds.ts'

/** A program or library that is there and can be started. */
type ReadyEngine =
  | { kind: 'llama-server'; binary: string }
  | { kind: 'node-llama-cpp'; folder: string; compute: Compute }

export interface ObtainDeps {
  env: NodeJS.ProcessEnv
  platform: string
  mtp: boolean
  engine: ServeFlags['engine']
  say(text: string): void
  /** Whether the operator agrees to a download; undefined if nobody can be asked. */
  consent(question: string): Promise<boolean | undefined>
  /** Fetches an archive into the cache and returns its path. */
  fetchArchive(archive: LlamaBuild['archives'][number]): Promise<string>
  /** Installs node-llama-cpp unless it is there, and returns its folder. */
  installBindings(compute: Compute): Promise<string>
  run: RunProgram
}

/** Takes the first way that the operator agrees to. */
export async function obtainEngine(plans: readonly EnginePlan[], deps: ObtainDeps): Promise<ReadyEngine> {
  for (const plan of plans) {
    if (plan.kind === 'llama-server') {
      await expectUsable(plan.binary, deps)
      return plan
    }
    if (plan.kind === 'node-llama-cpp') {
      if (deps.engine === 'auto')
        deps.say(
          'There is no llama-server on this machine: node-llama-cpp, which was installed before, runs the model. llama-server is faster: --engine llama-server downloads it.',
        )
      return await bindings(plan.compute, deps)
    }
    const agreed = await deps.consent(questionOf(plan))
    if (agreed === undefined)
      throw new Misuse(
        `${nameOf(plan)} has to be downloaded, and nobody can be asked here. Agree with --yes, or ${otherWay(deps)}.`,
      )
    if (!agreed) continue
    return plan.kind === 'fetch-llama-server'
      ? await fetchServer(plan, deps)
      : await bindings(plan.compute, deps)
  }
  throw new Misuse(
    `Without a program that runs the model there is nothing to serve. Agree to a download, or ${otherWay(deps)}.`,
  )
}

const otherWay = ({ engine }: ObtainDeps): string =>
  engine === 'node-llama-cpp'
    ? 'use another engine: leave out --engine, or give a server with --upstream https://…/v1'
    : 'give a program with --llama-server <path>, or a server with --upstream https://…/v1'

type Download = Extract<EnginePlan, { kind: 'fetch-llama-server' | 'install-node-llama-cpp' }>

const nameOf = (plan: Download): string =>
  plan.kind === 'fetch-llama-server' ? `llama-server (llama.cpp ${plan.build.name})` : 'node-llama-cpp'

const questionOf = (plan: Download): string =>
  plan.kind === 'fetch-llama-server'
    ? `There is no llama-server on this machine. Download ${nameOf(plan)} from github.com?`
    : `Install ${nameOf(plan)} from npm, up to 725 MB? It runs the model inside this tool, which is slower than llama-server.`

const bindings = async (compute: Compute, { installBindings }: ObtainDeps): Promise<ReadyEngine> => ({
  kind: 'node-llama-cpp',
  folder: await installBindings(compute),
  compute,
})

/** A program that cannot run is found here, not after gigabytes of a model. */
async function expectUsable(binary: string, { run, mtp, env }: ObtainDeps): Promise<void> {
  const end = await run(binary, [mtp ? '--help' : '--version'], { env })
  if (end.kind !== 'ended' || end.code !== 0)
    throw new Misuse(
      `${binary} cannot run on this machine: ${end.kind === 'ended' ? oneLine(end.stderr || end.stdout) : `it is ${end.kind === 'timeout' ? 'hanging' : 'missing'}`}. Give another one with --llama-server <path>${mtp ? '' : ', or use --engine node-llama-cpp'}.`,
    )
  if (mtp && !`${end.stdout}${end.stderr}`.includes('draft-mtp'))
    throw new Misuse(
      `${binary} is too old for --mtp. Update llama.cpp to b9180 or later, or leave out --mtp.`,
    )
}

async function fetchServer(
  { build, folder }: Extract<Download, { kind: 'fetch-llama-server' }>,
  deps: ObtainDeps,
): Promise<ReadyEngine> {
  const files: string[] = []
  for (const archive of build.archives) files.push(await deps.fetchArchive(archive))
  const { platform, run } = deps
  const check = (binary: string) => expectUsable(binary, deps)
  const binary = await unpackRelease({ files, program: serverName, folder, platform, run, check })
  return { kind: 'llama-server', binary }
}
