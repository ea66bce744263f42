import { texts } from '../../text/console.ts'
import { readJson } from '../definition/json-places.ts'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { valueAt } from './core/document.ts'
import { anyText } from './titles.ts'
import { edited, type Work } from './work.ts'

export const formatDefinition = (definition: unknown): string => `${JSON.stringify(definition, null, 2)}\n`

/** Offers the definition as a file, as it stands. */
export function saveFile(definition: unknown): void {
  const url = URL.createObjectURL(new Blob([formatDefinition(definition)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileNameOf(definition)
  link.click()
  URL.revokeObjectURL(url)
}

function fileNameOf(definition: unknown): string {
  const name = anyText(valueAt(definition, ['name'])) ?? ''
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  return `${plain === '' ? 'experiment' : plain}.json`
}

/** Replaces the document by the content of a file, as one step to undo. */
export function useImport(setWork: (change: (work: Work) => Work) => void) {
  return async (file: File): Promise<void> => {
    const read = readJson(await file.text())
    if (!read.ok) return notifyFailed(texts().builder.notImported, new Error(texts().builder.notJson))
    setWork((work) => edited(work, () => read.value))
    notifyDone(texts().builder.imported(file.name))
  }
}
