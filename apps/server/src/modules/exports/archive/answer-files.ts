import { namesStoredFile } from '@atrium/contract/components'
import type { ExportPosition } from '../../events/index.ts'
import type { ExportSelection, ExportStore } from '../exports.store.ts'
import { pagesPerPlan, readAhead } from '../read-ahead.ts'
import { dataOf, textIn } from '../tables/row.ts'

/** A file that an answer names. */
interface NamedFile {
  participantId: string
  fileId: string
  path: string
}

/** The files that the selected answers name, each once, in the order of the export. */
export async function* namedFiles(
  store: Pick<ExportStore, 'plan' | 'parts'>,
  selection: ExportSelection,
): AsyncGenerator<NamedFile> {
  const nextPage = readAhead(
    (after: ExportPosition | null) => store.plan(selection, ['component_response'], after, pagesPerPlan),
    (plan) => store.parts(plan),
  )
  // A page and a room may both have recorded the same answer. The sessions of a participant follow each other.
  let [current, known] = ['', new Set<string>()]
  for (;;) {
    const { content, isLast } = await nextPage()
    for (const { session, events } of content) {
      const { participantId } = session
      if (participantId !== current) [current, known] = [participantId, new Set()]
      for (const event of events) {
        const { value } = dataOf(event)
        if (!namesStoredFile(value) || known.has(value.fileId)) continue
        known.add(value.fileId)
        yield { participantId, fileId: value.fileId, path: pathOf(participantId, value) }
      }
    }
    if (isLast) return
  }
}

/**
 * Where Psych-DS has raw data that is no table. Without the name that the participant gave it, which may say who they are;
 * that is in the answer.
 */
const pathOf = (participantId: string, { fileId, ...more }: { fileId: string }): string =>
  `data/files/${participantId}/${fileId}${endingOf('type' in more ? textIn(more.type) : null)}`

/**
 * Only of types that can be opened without harm: a page or a program that somebody uploaded must not start with a double
 * click. Not `.csv`, which in this folder would be a table of the dataset.
 */
const endings: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'audio/aac': '.aac',
  'audio/mp4': '.m4a',
  'audio/mpeg': '.mp3',
  'audio/ogg': '.ogg',
  'audio/wav': '.wav',
  'audio/webm': '.webm',
  'image/gif': '.gif',
  'image/heic': '.heic',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'text/csv': '.txt',
  'text/plain': '.txt',
  'video/mp4': '.mp4',
  'video/quicktime': '.mov',
  'video/webm': '.webm',
}

const endingOf = (type: string | null): string =>
  type !== null && Object.hasOwn(endings, type) ? (endings[type] ?? '') : ''
