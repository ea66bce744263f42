// `npm start`: installs and builds what the pages need, runs the whole platform in one process, and adds the rest once the
// pages can be reached: the types of the SDK, and the programs that transcode videos, which wait for them until then.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import {
  environmentWithPackages,
  giveUp,
  installPackages,
  pinnedNode,
  root,
  runScript,
  serverFolder,
} from './setup.mjs'
import { installOptionalPrograms, videoPrograms } from './system-programs.mjs'

await installPackages({ withTools: false })
if (runScript('build-start.ts') !== 0) giveUp('the web app and the server could not be built.')

const ending = new AbortController()
const server = spawn(pinnedNode(), [join(serverFolder, 'serve.mjs'), '--welcome', ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['inherit', 'pipe', 'inherit'],
  // In the folder of the bundles, so that it grows no older than they are.
  env: { NODE_COMPILE_CACHE: join(serverFolder, 'compiled'), ...environmentWithPackages() },
})
let rest = Promise.resolve()
server.stdout.pipe(process.stdout)
process.stdout.on('error', () => undefined) // Nobody reads it any more; the server runs on.
// The first thing that it writes says where it listens.
server.stdout.once('data', () => {
  rest = addTheRest()
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    ending.abort()
    server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
  })
server.on('error', (error) => giveUp(`the server could not be started: ${error.message}`))
server.on('close', async (code, signal) => {
  ending.abort()
  await rest
  process.exit(code ?? 128 + constants.signals[signal])
})

async function addTheRest() {
  const building = buildTypes()
  // With FFMPEG_PATH they are elsewhere.
  if (process.env.FFMPEG_PATH === undefined)
    await installOptionalPrograms(videoPrograms, 'transcoding videos needs these', ending.signal)
  await building
}

function buildTypes() {
  const script = join(root, 'scripts', 'build-start.ts')
  const build = spawn(pinnedNode(), [script, '--later'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environmentWithPackages(),
    signal: ending.signal,
  })
  return new Promise((resolve) => {
    build.on('error', resolve) // Aborted, or not to be started; the next start tries again.
    build.on('close', resolve)
  })
}
