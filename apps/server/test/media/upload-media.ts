import { mediaRoutes, type UploadedMedia } from '@atrium/contract'

/** A form with files, whose types are always wrong: the server goes by their bytes. */
export function formOf(files: Readonly<Record<string, Uint8Array>>): FormData {
  const form = new FormData()
  for (const [name, content] of Object.entries(files))
    form.append('file', new Blob([new Uint8Array(content)], { type: 'text/html' }), name)
  return form
}

export async function upload(http: string, token: string, body: FormData) {
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'atrium-test/1.0' }
  const response = await fetch(http + mediaRoutes.upload.path, { method: 'POST', headers, body })
  const answer: unknown = await response.json()
  return { status: response.status, body: answer as UploadedMedia & { code?: string; error?: string } }
}
