import { execFile } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryFolder } from '@atrium/testkit'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface CompileError {
  path: string
  message: string
}

/**
 * The errors in `files`, and in all that they import, once the contract has changed. `change` gets the text of a file in a
 * copy of it; a file that is not there is empty.
 */
export async function compileWith(
  change: Readonly<Record<string, (text: string) => string>>,
  files: readonly string[],
): Promise<CompileError[]> {
  const folder = createTemporaryFolder('recipes')
  try {
    const contract = join(folder.path, 'contract')
    await cp(join(root, 'packages/contract/src'), contract, { recursive: true })
    await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'))
    for (const [name, edit] of Object.entries(change)) {
      const path = join(contract, name)
      const before = await readFile(path, 'utf8').catch(() => '')
      const after = edit(before)
      if (after === before) throw new Error(`nothing has changed in ${name}`)
      await writeFile(path, after)
    }
    await writeFile(
      join(folder.path, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'apps/web/tsconfig.json'),
        compilerOptions: {
          paths: {
            '@atrium/contract': [join(contract, 'index.ts')],
            '@atrium/contract/components': [join(contract, 'components', 'index.ts')],
            '#checker': [join(contract, 'checker.ts')],
          },
        },
        include: [],
        files: files.map((file) => join(root, file)),
      }),
    )
    return await compile(folder.path)
  } finally {
    folder.remove()
  }
}

/** With one checker: several would each work out the types of the contract, which takes most of the time. */
async function compile(folder: string): Promise<CompileError[]> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '--noEmit', '--pretty', 'false', '--checkers', '1', '-p', folder]
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 }, (_, stdout) => resolve(stdout)),
  )
  return [...output.matchAll(/^(\S+)\(\d+,\d+\): error (.*)$/gm)].map(([, path = '', message = '']) => ({
    path,
    message,
  }))
}
