// Plain JavaScript, because `npm start` uses it before a Node that runs our TypeScript is installed.

/** npm puts the registry in use in its place (`--replace-registry-host`). */
export const anyRegistry = 'registry.invalid'

const inModules = 'node_modules/'

/**
 * A lockfile that says where packages lie in whichever registry is in use. Without an address npm first reads the list of all
 * versions of every package: 50 s instead of 20 s. The tracked lockfile has none, because it shall hold for every registry.
 */
export const withAddresses = (lockfile) => ({
  ...lockfile,
  packages: Object.fromEntries(
    Object.entries(lockfile.packages).map(([path, entry]) => [path, withAddress(path, entry)]),
  ),
})

/** Where there is no checksum, the package is our own, or only a registry for other platforms has it. */
function withAddress(path, entry) {
  if (entry.integrity === undefined) return entry
  const name = entry.name ?? path.slice(path.lastIndexOf(inModules) + inModules.length)
  const file = `${name.split('/').at(-1)}-${entry.version}.tgz`
  return { ...entry, resolved: `https://${anyRegistry}/${name}/-/${file}` }
}
