// `npm run cluster -- --pods 3`: installs what is missing, then starts the platform as several processes.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildWeb, environmentWithPackages, giveUp, installPackages, pinnedNode, root } from './setup.mjs'
import { installSystemPrograms } from './system-programs.mjs'

await installPackages({ withTools: false })
buildWeb()
await installSystemPrograms([
  { program: 'postgres', package: 'postgresql' },
  { program: 'initdb', package: 'postgresql' },
  { program: 'redis-server', package: 'redis-server' },
])

const cluster = spawn(pinnedNode(), [join(root, 'scripts', 'cluster.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: environmentWithPackages(),
})
// The terminal also signals the cluster, but it must not keep running if only this process gets the signal.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => cluster.kill(signal))
cluster.on('error', (error) => giveUp(`the cluster could not be started: ${error.message}`))
cluster.on('exit', (code) => process.exit(code ?? 1))
