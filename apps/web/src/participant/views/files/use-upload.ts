import { useState } from 'react'
import { refusalTextOf } from '../../refusal-text.ts'
import type { ViewProps } from '../view.ts'

type Uploading = { kind: 'idle' } | { kind: 'uploading' } | { kind: 'failed'; message: string }

/** Uploads a file for a component; the answer is drafted once the server has all of it. */
export function useUpload({ component, scene, onDraft }: ViewProps) {
  const [uploading, setUploading] = useState<Uploading>({ kind: 'idle' })
  return {
    isUploading: uploading.kind === 'uploading',
    failure: uploading.kind === 'failed' ? uploading.message : undefined,
    fail: (message: string) => setUploading({ kind: 'failed', message }),
    async upload(file: Blob, name: string, more: Record<string, unknown> = {}): Promise<void> {
      onDraft(undefined)
      setUploading({ kind: 'uploading' })
      try {
        const stored = await scene.uploadFile(component.id, file, name)
        onDraft({ ...stored, name, type: plainType(file.type), ...more })
        setUploading({ kind: 'idle' })
      } catch (error) {
        setUploading({ kind: 'failed', message: refusalTextOf(error) })
      }
    },
  }
}

/** Without parameters, such as the codec of a recording. */
const plainType = (type: string): string => type.replace(/;.*/s, '').trim() || 'application/octet-stream'
