import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ICruiseResult } from 'dependency-cruiser'

const root = fileURLToPath(new URL('../..', import.meta.url))
const config = join(root, 'dependency-cruiser.config.ts')

/** Runs dependency-cruiser with our rules on `folder` of the repository at `cwd`. The exit code is the number of errors. */
export function cruise(cwd: string, folder: string, ...more: string[]): Promise<ICruiseResult> {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const args = [program, '--config', config, '--output-type', 'json', ...more, folder]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 1e9 }, (error, stdout) => {
      if (stdout === '') reject(error)
      else resolve(JSON.parse(stdout))
    })
  })
}
