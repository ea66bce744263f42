import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildAgent } from './build-agent.ts'
import { buildLibrary } from './build-library.ts'
import { withDeclarations } from './types.ts'

export const packageNames = ['contract', 'client', 'agent'] as const
export type PackageName = (typeof packageNames)[number]

/** Builds packages from the sources as they are now, packs them into a folder, and returns the paths of the files. */
export async function packAll(names: readonly PackageName[], into: string): Promise<string[]> {
  const temporary = mkdtempSync(join(tmpdir(), 'atrium-pack-'))
  try {
    const built = names.map((name) => ({ name, folder: join(temporary, name) }))
    const libraries = built.flatMap(({ name, folder }) => (name === 'agent' ? [] : [{ name, folder }]))
    if (libraries.length > 0)
      await withDeclarations(async (declarations) => {
        for (const { name, folder } of libraries) await buildLibrary(name, declarations, folder)
      })
    for (const { name, folder } of built) if (name === 'agent') await buildAgent(folder)
    mkdirSync(into, { recursive: true })
    return built.map(({ folder }) => join(into, pack(folder, into)))
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function pack(folder: string, into: string): string {
  const [npm, ...first] = npmCommand()
  const args = [...first, 'pack', '--json', '--loglevel=error', '--pack-destination', into]
  const [packed] = JSON.parse(execFileSync(npm, args, { cwd: folder, encoding: 'utf8' }))
  return packed.filename
}

/** The npm that started us, if one did: on Windows no other can be started without a shell. */
export function npmCommand(): [string, ...string[]] {
  const script = process.env.npm_execpath
  return script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm']
}
