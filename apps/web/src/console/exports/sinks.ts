import { exportFormats } from '@atrium/contract'
import { texts } from '../../text/console.ts'
import type { Sink } from './receive.ts'

interface SaveFileOptions {
  suggestedName: string
  types: { description: string; accept: Record<string, string[]> }[]
}

declare global {
  interface Window {
    /** Not in every browser, and therefore not in TypeScript’s own types. */
    showSaveFilePicker?: (options: SaveFileOptions) => Promise<FileSystemFileHandle>
  }
}

/** By the ending of the file. */
const contentTypes = new Map<string, string>(
  Object.values(exportFormats).map(({ ending, contentType }) => [ending, contentType]),
)
const contentTypeOf = (ending: string): string => contentTypes.get(ending) ?? 'application/octet-stream'

/**
 * Asks where to save and streams there, so that the export can be of any size; browsers that cannot do that collect it
 * in memory. Undefined if the researcher cancels.
 */
export async function openSink(fileName: string, ending: string): Promise<Sink | undefined> {
  if (!window.showSaveFilePicker) return memorySink(fileName, contentTypeOf(ending))
  try {
    const handle = await window.showSaveFilePicker({
      suggestedName: fileName,
      types: [
        { description: texts().data.fileType(ending), accept: { [contentTypeOf(ending)]: [`.${ending}`] } },
      ],
    })
    const file = await handle.createWritable()
    return { write: (chunk) => file.write(chunk), close: () => file.close(), abort: () => file.abort() }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    throw error
  }
}

function memorySink(fileName: string, contentType: string): Sink {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  return {
    async write(chunk) {
      chunks.push(chunk)
    },
    async close() {
      offerDownload(new Blob(chunks, { type: contentType }), fileName)
    },
    async abort() {
      chunks.length = 0
    },
  }
}

/** Long enough for any browser to start the download. */
const keepMs = 60_000

function offerDownload(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), keepMs)
}
