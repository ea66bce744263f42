import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
const { packages }: { packages: Record<string, { dev?: boolean; resolved?: string; link?: boolean }> } =
  JSON.parse(read('package-lock.json'))

/** Commands of people who work on Atrium itself, after `npm ci` or `npm test`. */
const forContributors = [
  ...['test', 'test:long', 'test:faults', 'check', 'format', 'generate', 'render', 'bench', 'gallery'],
  ...['tutorial', 'pack', 'release'],
]

/** Opened only by tests, and only then imported. */
const browsers = ['playwright-core', 'puppeteer-core']
/** Not in the lockfile: the agent tool installs it itself. */
const installedLater = ['node-llama-cpp']

const imported = /(?:\bfrom |^import |\bimport\()'([\w@./-]+)'/gm

interface Reached {
  files: Set<string>
  packages: Set<string>
}

/** Every file of ours that a file imports, directly or not, and every package. Types are not there when it runs. */
function reach(path: string, reached: Reached): Reached {
  if (reached.files.has(path)) return reached
  reached.files.add(path)
  const code = read(path).replaceAll(/^(?:import|export) type [^']*'[^']+'/gm, '')
  for (const [, name = ''] of code.matchAll(imported)) {
    if (name.startsWith('node:')) continue
    if (name.startsWith('.')) {
      const file = join(dirname(path), name)
      if (existsSync(join(root, file)) && /\.(ts|mjs)$/.test(file)) reach(file, reached)
      continue
    }
    const [, own = '', inside = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name) ?? []
    const folder = packages[`node_modules/${own}`]
    if (folder?.link !== true) reached.packages.add(own)
    else {
      const manifest = JSON.parse(read(join(folder.resolved ?? '', 'package.json')))
      const file = join(folder.resolved ?? '', manifest.exports[`.${inside}`])
      if (/\.ts$/.test(file)) reach(file, reached)
    }
  }
  return reached
}

const commands = Object.entries(scripts).flatMap(([name, command]): [string, string][] =>
  forContributors.includes(name) ? [] : [[name, /^node (\S+)/.exec(command)?.[1] ?? '']],
)

test.each<[string, string]>([
  ...commands,
  ['start, while it builds', 'scripts/build-start.ts'],
  ['the pages', 'apps/web/vite.config.ts'],
  ['the local cluster', 'scripts/cluster.ts'],
])('[R1] npm run %s needs nothing but what npm start installs: no tools of tests', (_, entry) => {
  const reached = reach(entry, { files: new Set(), packages: new Set() })
  const missing = [...reached.packages].filter(
    (name) =>
      ![...browsers, ...installedLater].includes(name) &&
      (packages[`node_modules/${name}`] === undefined || packages[`node_modules/${name}`]?.dev),
  )
  expect(missing).toEqual([])
})

test('what the commands need is found in their imports', () => {
  const { packages: needed } = reach('scripts/build-start.ts', { files: new Set(), packages: new Set() })
  expect([...needed]).toEqual(expect.arrayContaining(['vite', 'rolldown', 'rolldown-plugin-dts']))
})
