import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Tells the file of a program among the bundles, if it is one. */
export type FileOfProgram = (program: string) => string | undefined

/** Writes programs into a folder, a file for each and chunks that they share. */
export async function writeBundles(
  folder: string,
  input: Record<string, string>,
  fileOfProgram: FileOfProgram,
) {
  const bundling = await rolldown({
    cwd: join(root, 'apps', 'server'),
    input,
    platform: 'node',
    checks: { bundlerTimings: false },
    external: ['vitest', 'playwright-core', 'puppeteer-core'],
    plugins: [atTheirPlaces(fileOfProgram)],
  })
  const { output } = await bundling.write({
    dir: folder,
    entryFileNames: '[name]',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundling.close()
  return output
}

/** Modules find the files beside them where they were. Worker threads start from their bundles. */
const atTheirPlaces = (fileOfProgram: FileOfProgram): Plugin => ({
  name: 'at-their-places',
  transform(code, path) {
    const isOurs = !path.includes('/node_modules/')
    if (isOurs && code.includes('import.meta')) return withUrls(code, path, fileOfProgram)
    return !isOurs && /\b__(dir|file)name\b/.test(code) ? withNames(code, path) : null
  },
})

function withUrls(code: string, path: string, fileOfProgram: FileOfProgram): string {
  const url = JSON.stringify(pathToFileURL(path).href)
  return code
    .replaceAll(/new URL\('([^']+)', import\.meta\.url\)/g, (_, target: string) => {
      const file = fileOfProgram(relative(root, resolve(dirname(path), target)))
      return file === undefined ? `new URL('${target}', ${url})` : `new URL('./${file}', import.meta.url)`
    })
    .replaceAll(/new URL\((`[^`]+`), import\.meta\.url\)/g, `new URL($1, ${url})`)
    .replaceAll(
      /import\.meta\.resolve\('(\.[^']+)'\)/g,
      (_, target: string) => `new URL('${target}', ${url}).href`,
    )
}

/** What Node gives to a CommonJS module. */
const withNames = (code: string, path: string) =>
  `var __dirname = ${JSON.stringify(dirname(path))}, __filename = ${JSON.stringify(path)};${code}`
