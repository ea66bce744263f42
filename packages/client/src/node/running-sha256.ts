import { createHash } from 'node:crypto'
import type { RunningHash } from '../exports/whole-file.ts'

export function runningSha256(): RunningHash {
  const hash = createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.copy().digest('hex') }
}
