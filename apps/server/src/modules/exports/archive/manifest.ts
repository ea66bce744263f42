import type { About, ExportTable } from '@atrium/contract'
import type { MaterialRecord } from './study/materials.ts'

/** What is true of the whole archive. */
export interface ManifestFacts {
  experimentId: string
  name: string
  description: string | undefined
  /** As the newest revision has it. */
  about: About | undefined
  /** Of this software. */
  version: string
  now: number
  /** Those that are in the data. */
  revisions: readonly number[]
  filters: Record<string, unknown>
  /** Whether the definitions have what their components keep secret. */
  answerKeys: boolean
}

export interface FileRecord {
  path: string
  /** Null for files that are no table. */
  table: ExportTable | null
  /** Without the header. */
  rows: number | null
  bytes: number
  sha256: string
}

/** What the archive contains, so that a reader can tell whether everything has arrived unchanged. */
export const manifestOf = (
  { experimentId, name, version, now, revisions, filters, answerKeys }: ManifestFacts,
  definitions: readonly MaterialRecord[],
  files: readonly FileRecord[],
) => ({
  experimentId,
  name,
  revisions,
  exportedAt: new Date(now).toISOString(),
  software: { name: 'Atrium', version },
  filters: { ...filters, format: undefined },
  materials: { answerKeys: answerKeys ? 'included' : 'removed', definitions },
  files,
})
