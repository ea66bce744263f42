import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { kinds } from './kubernetes.ts'
import type { Manifest } from './rendered.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * What the compiler says about manifests written as literals of Kubernetes' types. Kubernetes ignores fields that it does
 * not know, and so do its schemas: a misspelled probe would be no probe at all.
 */
export function unknownFieldsIn(manifests: Manifest[]): string {
  // Inside the repository, so that the packages are found.
  const folder = mkdtempSync(join(root, 'node_modules', '.cache-manifests-'))
  try {
    const used = new Set(manifests.map(({ kind }) => kind))
    const imports = [...used].map(
      (kind) => `import type { I${kind} } from 'kubernetes-models/${kinds[kind]?.from}/${kind}'`,
    )
    const literals = manifests.map(
      (manifest, index) => `export const _${index}: I${manifest.kind} = ${JSON.stringify(manifest, null, 1)}`,
    )
    writeFileSync(join(folder, 'manifests.ts'), [...imports, ...literals].join('\n'))
    const options = { extends: join(root, 'tsconfig.json'), include: ['manifests.ts'], exclude: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    return spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' })
      .stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
