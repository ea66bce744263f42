import { existsSync, globSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** Fits into one packet without compression. */
const smallBytes = 1_400
/** Pictures, videos and typefaces are compressed already. */
const texts = '**/*.{js,css,html,svg,json,txt,ts}'

/** Files of a build that have no compressed form yet. */
export const uncompressedIn = (folder: string): string[] =>
  globSync(texts, { cwd: folder })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size >= smallBytes && !existsSync(`${path}.br`))

/**
 * Writes compressed forms beside files, at the highest level: for what is packaged, and served to many. It takes longer
 * than building the pages.
 */
export async function compressFiles(paths: string[]): Promise<void> {
  // All at once: the compressors run on a few threads of their own, and the others wait for them.
  await Promise.all(paths.map(compress))
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  await writeFile(`${path}.gz`, await promisify(gzip)(content))
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
}
