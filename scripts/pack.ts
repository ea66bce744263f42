// Builds the packages that others use from the sources as they are now, packs them, and says where they are:
//   npm run pack                              all of them into ./dist
//   npm run pack -- agent --to <folder>       some of them into a folder of your choice
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packAll, packageNames } from './packages/pack-all.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) } },
})
const unknown = positionals.filter((name) => !packageNames.some((known) => known === name))
if (unknown.length > 0) {
  console.error(`atrium: there is no package ${unknown.join(', ')}; there are ${packageNames.join(', ')}.`)
  process.exit(1)
}
const names = packageNames.filter((name) => positionals.length === 0 || positionals.includes(name))
const files = await packAll(names, resolve(values.to))
console.log(`Packed:\n${files.map((file) => `  ${file}`).join('\n')}

Copy what you need to where it is used, and install it there (Node 20 or newer), libraries together:
  npm install ${files.map((file) => `./${basename(file)}`).join(' ')}`)
