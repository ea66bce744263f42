import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The example experiments by id, which is the file name. */
export async function readExamples(folder: string): Promise<Map<string, unknown>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()
  const read = async (file: string): Promise<[string, unknown]> => [
    file.slice(0, -'.json'.length),
    JSON.parse(await readFile(join(folder, file), 'utf8')),
  ]
  return new Map(await Promise.all(files.map(read)))
}
