import { copyFileSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const web = join(root, 'apps', 'web')

/** The pages of participants and of researchers, with the SDK and the example of an own page beside them. */
export async function buildPages(into: string, sdk: string): Promise<void> {
  const { build } = await import('vite') // Half a second, which a start that builds nothing need not wait for.
  rmSync(into, { recursive: true, force: true })
  const built = ['participants', 'researchers'].map((mode) =>
    build({
      root: web,
      configFile: join(web, 'vite.config.ts'),
      configLoader: 'native',
      mode,
      logLevel: 'warn',
      build: { outDir: into },
    }),
  )
  await Promise.all(built)
  cpSync(sdk, join(into, 'sdk'), { recursive: true })
  copyFileSync(join(root, 'examples', 'own-page', 'index.html'), join(into, 'examples', 'own-page.html'))
}
