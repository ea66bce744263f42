import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse } from 'csv-parse/sync'

export type Cells = Record<string, unknown>

/** An archive as whoever receives it has it: files in a folder, read with their own codebook and nothing else. */
export function openArchive(folder: string, zip: Buffer) {
  const file = join(folder, 'archive.zip')
  const root = join(folder, 'archive')
  writeFileSync(file, zip)
  execFileSync('python3', ['-m', 'zipfile', '-e', file, root])
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
  const codebook: Record<string, string>[] = parse(textOf('documentation/codebook.csv'), { columns: true })
  const types = new Map(codebook.map(({ table, variable, type }) => [`${table} ${variable}`, type]))

  return {
    root,
    files,
    textOf,
    /** The name of each column in the table, by that in JSON lines and events. */
    columnsOf: (name: string): Map<string, string> =>
      new Map(
        codebook
          .filter(({ table }) => table === name)
          .map(({ field = '', variable = '' }) => [field, variable]),
      ),
    jsonOf: (path: string) => JSON.parse(textOf(path)),
    table(name: string): Cells[] {
      const path = files.find((one) => one.endsWith(`description-${camel(name)}_data.csv`))
      if (path === undefined) throw new Error(`no table ${name} among ${files.join(', ')}`)
      return parse(textOf(path), {
        columns: true,
        cast: (text, { header, quoting, column }) => {
          if (header) return text
          if (text === '' && !quoting) return null
          return typedBy(text, types.get(`${name} ${String(column)}`))
        },
      })
    },
  }
}
export type Archive = ReturnType<typeof openArchive>

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** As the codebook says. Times are epoch milliseconds, for arithmetic. */
function typedBy(text: string, type: string | undefined): unknown {
  switch (type) {
    case 'json':
      return JSON.parse(text)
    case 'time':
      return Date.parse(text)
    case 'whole':
    case 'number':
      return Number(text)
    case 'flag':
      return text === 'true'
    default:
      return text.replace(/^'/, '')
  }
}
