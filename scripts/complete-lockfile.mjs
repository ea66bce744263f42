// Run after `npm install` if the registry in use has packages for some platforms only (company mirrors often
// do). npm then omits the other platforms' optional packages from package-lock.json, and `npm ci` refuses such a
// lockfile everywhere. This adds them by name and version, without a checksum, which only a full registry knows and
// which is not needed where they are never downloaded. With a full registry there is nothing to add.
//
// It also removes the Node versions that packages require: npm compares them with the Node that it runs on, which may
// be 20, and prints EBADENGINE warnings, although the packages run on the pinned Node.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/** Returns the lockfile's `packages` with an entry for every optional package that has none, and without their engines. */
export function completePackages(packages) {
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(packages, path, name))
      .map(([name, version]) => [`node_modules/${name}`, optionalEntry(name, version, entry.dev === true)]),
  )
  const all = { ...packages, ...Object.fromEntries(missing) }
  return Object.fromEntries(
    Object.entries(all)
      .map(([path, entry]) => [path, withoutEngines(path, entry)])
      .sort(([a], [b]) => a.localeCompare(b, 'en')),
  )
}

/** Our own packages keep theirs, which do concern the Node that npm runs on. */
function withoutEngines(path, entry) {
  if (!path.includes('node_modules/')) return entry
  const { engines: _, ...rest } = entry
  return rest
}

/** Node's own search: beside the package, then in every node_modules above it. */
function isLocked(packages, path, name) {
  const above = path
    .split('/node_modules/')
    .map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'))
  return ['', ...above].some((folder) => join(folder, 'node_modules', name).replaceAll('\\', '/') in packages)
}

function optionalEntry(name, version, dev) {
  const words = name.split(/[/-]/)
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((processor) => words.includes(processor))
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(words.some((word) => word.startsWith('musl')) && { libc: ['musl'] }),
    optional: true,
    ...(os.length > 0 && { os }),
  }
}

if (process.argv[1] === import.meta.filename) {
  const path = join(root, 'package-lock.json')
  const lockfile = JSON.parse(readFileSync(path, 'utf8'))
  const packages = completePackages(lockfile.packages)
  writeFileSync(path, `${JSON.stringify({ ...lockfile, packages }, undefined, 2)}\n`)
  console.log(`${Object.keys(packages).length - Object.keys(lockfile.packages).length} entries added`)
}
