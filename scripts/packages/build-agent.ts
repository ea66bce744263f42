import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { licenceTexts } from './licence-texts.ts'

const agent = fileURLToPath(new URL('../../apps/agent/', import.meta.url))
const program = 'dist/atrium-agent.js'

/**
 * Makes the package of the agent tool in an empty folder of its own: one file that runs on Node 20 or newer with nothing
 * else installed, the licences of what is in it, and its pages. Not in apps/agent, and not in `prepack`: npm runs no
 * scripts here (.npmrc), so that `npm pack` there would pack what an earlier build has left, or nothing. It refuses to,
 * because that folder has no version.
 */
export async function buildAgent(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    cwd: agent,
    input: { 'atrium-agent': 'src/entry/atrium-agent.ts' },
    platform: 'node',
    // 725 MB, and only for those who need it: `serve` installs it on first use.
    external: ['node-llama-cpp'],
  })
  const { output } = await bundle.write({ dir: join(folder, 'dist'), format: 'esm', codeSplitting: false })
  await bundle.close()
  chmodSync(join(folder, program), 0o755)
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(join(folder, 'dist', 'LICENSES.txt'), licenceTexts(modules))
  copyFileSync(join(agent, '..', '..', 'LICENSE'), join(folder, 'LICENSE'))
  for (const page of ['README.md', 'CHANGELOG.md']) copyFileSync(join(agent, page), join(folder, page))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestFor(folder), null, 2)}\n`)
}

/** The program says its version itself, which shows that it starts. */
function manifestFor(folder: string): object {
  const version = execFileSync(process.execPath, [join(folder, program), '--version'], {
    encoding: 'utf8',
  }).trim()
  const { name, description, license, type, engines } = JSON.parse(
    readFileSync(join(agent, 'package.json'), 'utf8'),
  )
  const bin = { 'atrium-agent': `./${program}` }
  return { name, version, description, license, type, bin, files: ['dist', 'CHANGELOG.md'], engines }
}
