import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockfileWithVersion, withVersion } from './version.ts'

/** Programs that say their version wherever they run, without a package.json beside them. */
const sources = ['apps/agent/src/cli/version.ts', 'packages/client/src/version.ts']

/** Its appVersion is the tag of the image that it runs. */
const chart = 'deploy/chart/Chart.yaml'
const job = 'deploy/jobs/backup.yaml'

/** They tell readers to install the packed files. */
const pages = ['apps/agent/README.md', 'docs/own-model.md', 'docs/sdk.md', 'scripts/docs-commands.ts']

/** Every file that names the version; that of the root is the one that counts. */
export function versionedFiles(root: string): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifests = globSync(
    workspaces.map((folder: string) => `${folder}/package.json`),
    { cwd: root },
  )
  return ['package.json', 'package-lock.json', ...manifests.toSorted(), ...sources, chart, job, ...pages]
}

/** The text of one of these files with another version. */
export function sourcesWithVersion(path: string, text: string, version: string): string {
  if (pages.includes(path))
    return text.replaceAll(/(?<=atrium-(?:agent|client|contract)-)\d\S*?(?=\.tgz)/g, version)
  if (path.endsWith('.ts')) return text.replace(/(?<=version = ')[^']+/, version)
  if (path === chart) return text.replaceAll(/(?<=^(?:version|appVersion): ).+$/gm, version)
  if (path === job) return text.replace(/(?<=image: \S+\/atrium:).+$/m, version)
  const content = JSON.parse(text)
  const changed =
    path === 'package-lock.json' ? lockfileWithVersion(content, version) : withVersion(content, version)
  return `${JSON.stringify(changed, null, 2)}\n`
}
