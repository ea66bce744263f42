// What `npm start` builds, unless the last build is up to date: the pages and the bundled server before the server starts;
// with `--later`, once it listens, what nobody waits for.
import { rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { type Build, buildIfChanged } from './packages/build-if-changed.ts'
import { timedInBackground } from './packages/timed.mjs'
import { addTypes, buildWebApp } from './packages/web-builds.ts'
import { serverFolder } from './setup.mjs'

const server: Build = {
  doing: 'bundling the server',
  folder: serverFolder,
  sources: [
    'package-lock.json',
    '{apps,packages}/*/package.json',
    'apps/{functions,server}/src/**/*.*',
    'packages/*/src/**/*.*',
  ],
  async make() {
    const { bundleServer } = await import('../packages/bundler/src/index.ts')
    rmSync(serverFolder, { recursive: true, force: true })
    await bundleServer(serverFolder)
  },
}

const { values } = parseArgs({ options: { later: { type: 'boolean', default: false } } })
if (values.later) {
  setPriority(constants.priority.PRIORITY_LOW) // People are looking at the pages.
  await addTypes(timedInBackground)
} else {
  await buildWebApp()
  await buildIfChanged(server)
}
