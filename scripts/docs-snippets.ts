// Checks and runs the TypeScript in the documentation as a reader would.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

export function writeSnippet(folder: string, name: string, text: string): string {
  const file = join(folder, name)
  // A page may have several snippets that declare the same names.
  writeFileSync(file, `${text}\nexport {}\n`)
  return file
}

/** The output of the compiler; empty if there are no errors. */
export async function checkTypes(folder: string, files: string[]): Promise<string> {
  const project = join(folder, 'tsconfig.snippets.json')
  const compilerOptions = { lib: ['ES2024', 'DOM', 'DOM.Iterable'] }
  writeFileSync(
    project,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: files }),
  )
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return await run(process.execPath, [compiler, '--noEmit', '-p', project]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}

/** Rejects with the output if the snippet fails. */
export async function runInNode(file: string, study: string): Promise<void> {
  await run(process.execPath, [file, study], { cwd: join(file, '..') })
}

export async function bundleSnippet(file: string): Promise<string> {
  const bundle = await rolldown({ input: file, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return output[0].code
}
