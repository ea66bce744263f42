import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { licenceTexts } from './licence-texts.ts'
import { bundleTypes, withDeclarations } from './types.ts'

const client = fileURLToPath(new URL('../../packages/client/', import.meta.url))

/** The SDK as one file that a page loads without a bundler, with the licences of what is in it. */
export async function buildSdk(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const bundle = await rolldown({
    cwd: client,
    input: { atrium: 'src/index.ts' },
    platform: 'browser',
    checks: { bundlerTimings: false },
    transform: { target: 'es2022' },
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    minify: true,
    codeSplitting: false,
    postBanner: '/* Atrium SDK, Apache-2.0; licences of what is in it: LICENSES.txt beside this file */',
  })
  await bundle.close()
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(join(folder, 'LICENSES.txt'), licenceTexts(modules))
}

/** Its types, apart: they take longer than all pages, and no page waits for them. */
export async function buildSdkTypes(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await withDeclarations((declarations) =>
    bundleTypes({
      declarations,
      entries: { 'atrium.d': 'client/src/index.d.ts' },
      into: folder,
      isSelfContained: true,
    }),
  )
}
