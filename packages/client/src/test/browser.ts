import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

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
