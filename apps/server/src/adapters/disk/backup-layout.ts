import { join } from 'node:path'

export const manifestName = 'manifest.json'

export interface WrittenFile {
  bytes: number
  sha256: string
}

/** File systems and people both prefer folders of a thousand files. */
const filesPerFolder = 1_000

/** Objects are numbered in the order of their list, so no name of a file ever comes from the backup itself. */
export const objectFileOf = (number: number): string =>
  join(
    'objects',
    String(Math.floor(number / filesPerFolder)).padStart(6, '0'),
    String(number).padStart(9, '0'),
  )
