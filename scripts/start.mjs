// `npm start`: installs what is missing, then runs the whole platform in one process.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { buildWeb, environmentWithPackages, giveUp, installPackages, pinnedNode, root } from './setup.mjs'
import { installOptionalPrograms, videoPrograms } from './system-programs.mjs'

await installPackages()
// With FFMPEG_PATH they are elsewhere.
if (process.env.FFMPEG_PATH === undefined)
  installOptionalPrograms(videoPrograms, 'transcoding videos needs these')
buildWeb()

const serve = join(root, 'apps', 'server', 'src', 'entry', 'serve.ts')
const server = spawn(pinnedNode(), [serve, '--welcome', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: environmentWithPackages(),
})

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('error', (error) => giveUp(`the server could not be started: ${error.message}`))
server.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
