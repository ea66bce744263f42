// Preloaded by programs under test: leads our own imports of some large packages to their bundles.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = process.env.ATRIUM_TEST_BUNDLES
/** By specifier; undefined for those without a bundle. */
const bundles = new Map()

function bundleOf(specifier) {
  if (!bundles.has(specifier)) {
    const path = join(folder, `${specifier.replace('/', '__')}.mjs`)
    bundles.set(specifier, existsSync(path) ? pathToFileURL(path).href : undefined)
  }
  return bundles.get(specifier)
}

const isPackage = /^[a-z]/

if (folder !== undefined)
  registerHooks({
    resolve(specifier, context, next) {
      // What a package imports is left alone: it may be of another version.
      const isOurs = context.parentURL !== undefined && !context.parentURL.includes('/node_modules/')
      const url = isOurs && isPackage.test(specifier) ? bundleOf(specifier) : undefined
      return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
    },
  })
