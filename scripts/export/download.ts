import type { DataQuery } from '@atrium/client/node'
import { downloadPages } from './download-pages.ts'
import { downloadWhole } from './download-whole.ts'
import type { Download, Downloaded } from './unfinished.ts'

/** The file appears under its name once it is complete; run again after an interruption, it continues. */
export async function downloadTo(download: Download): Promise<Downloaded> {
  return hasPages(download.query) ? await downloadPages(download) : await downloadWhole(download)
}

/** A page is certain once it is there, whatever changes in the data afterwards. */
const hasPages = ({ table, format }: DataQuery): boolean =>
  (format === 'csv' || format === 'jsonl') && table !== 'agent_turns' && table !== 'codebook'
