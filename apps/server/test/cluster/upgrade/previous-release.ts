import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createTemporaryFolder } from '@atrium/testkit'
import previous from './previous-release.json' with { type: 'json' }

const root = fileURLToPath(new URL('../../../../../', import.meta.url))

export interface PreviousRelease {
  readonly version: string
  /** Bundles of its programs, for `entry` of the test kit. */
  readonly server: string
  readonly router: string
  remove(): void
}

/**
 * The programs of the release before this one, from the history of the repository. Its own packages come from there too;
 * what it depends on is what this version has installed.
 */
export function unpackPreviousRelease(): PreviousRelease {
  const { version, commit } = previous
  if (!isInHistory(commit))
    throw new Error(
      `Commit ${commit} (version ${version}, named in previous-release.json) is not in this repository: fetch the whole history with \`git fetch --unshallow\`.`,
    )
  const folder = createTemporaryFolder('previous-release')
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder.path], { input: archive })
  linkPackages(folder.path)
  const bundles = bundle(folder.path)
  return {
    version,
    server: join(bundles, 'apps__server__src__entry__serve.mjs'),
    router: join(bundles, 'apps__router__src__entry__route.mjs'),
    remove: folder.remove,
  }
}

function isInHistory(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Installed packages are linked one by one, because those of the workspace must be the ones of that release. */
function linkPackages(folder: string): void {
  const scope = join(folder, 'node_modules', '@atrium')
  mkdirSync(scope, { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') && name !== '@atrium')
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const groups = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(folder, group)).map((name) => join(group, name)),
  )
  for (const path of groups) {
    const file = join(folder, path, 'package.json')
    if (!existsSync(file)) continue
    const { name }: { name: string } = JSON.parse(readFileSync(file, 'utf8'))
    symlinkSync(join(folder, path), join(scope, name.replace('@atrium/', '')))
    const own = join(root, path, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(folder, path, 'node_modules'))
  }
}

/** With that release's own bundler, in a process of its own. Returns the folder of the bundles. */
function bundle(folder: string): string {
  const bundler = pathToFileURL(join(folder, 'packages/testkit/src/bundles.ts')).href
  const program = `import { bundlePrograms } from '${bundler}'; console.log(await bundlePrograms())`
  const args = ['--input-type=module', '--eval', program]
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).trim()
}
