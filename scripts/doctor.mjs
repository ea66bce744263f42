// `npm run doctor`: checks an installation. Runs on the machine's own Node, so that it can say what is wrong with it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { environmentWithPackages, pinnedNode, root } from './setup.mjs'

const entry = join(root, 'apps', 'server', 'src', 'entry', 'doctor.ts')
const { status } = spawnSync(pinnedNode(), [entry, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: environmentWithPackages(),
})
process.exit(status ?? 1)
