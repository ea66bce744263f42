import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** A Chromium on the PATH; the set-up of the tests installs one. */
export function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const found = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))
  if (!found) throw new Error('no Chromium on the PATH; install the package chromium')
  return found
}

/** The main entry as one module for browsers. An import of `node:` anything would fail here. */
export async function bundleClient(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../index.ts', import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return output[0].code
}
