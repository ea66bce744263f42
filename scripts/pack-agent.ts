// Builds the package of the agent tool from the sources as they are now, packs it, and says where it is:
//   npm run pack:agent                 into apps/agent/dist
//   npm run pack:agent -- <folder>     into a folder of your choice
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAgent } from './build-agent.ts'

const target = resolve(process.argv[2] ?? fileURLToPath(new URL('../apps/agent/dist', import.meta.url)))
const temporary = mkdtempSync(join(tmpdir(), 'atrium-agent-'))
try {
  const folder = join(temporary, 'package')
  await buildAgent(folder)
  mkdirSync(target, { recursive: true })
  const [npm, ...first] = npmCommand()
  const args = [...first, 'pack', '--json', '--loglevel=error', '--pack-destination', target]
  const [packed] = JSON.parse(execFileSync(npm, args, { cwd: folder, encoding: 'utf8' }))
  const file = join(target, packed.filename)
  process.stdout.write(`Packed: ${file}

Copy it to the machine that is to serve the model, and install it there (Node 20 or newer):
  npm install --global ./${basename(file)}
  atrium-agent --help
`)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

/** The npm that started us, if one did: on Windows no other can be started without a shell. */
function npmCommand(): [string, ...string[]] {
  const script = process.env.npm_execpath
  return script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm']
}
