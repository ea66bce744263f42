import type { ExportPage } from '../events/index.ts'

/** Reads the next page of a file; each call continues where the last one ended. */
export type ReadFile = () => Promise<ExportPage<number, string | Uint8Array>>
