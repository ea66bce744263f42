import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UploadFailed } from '../errors.ts'
import { newId } from '../ids.ts'
import { formPartHead } from '../upload/form-part.ts'
import type { UploadAnswer, UploadRequest, UploadSource, UploadWatch } from '../upload/upload-source.ts'

/** Answers to uploads are short; more than this is not read. */
const maxAnswerBytes = 1_048_576

/** A file on disk, read in small pieces as they are sent: the memory needed does not depend on its size. */
export async function diskSource(path: string): Promise<UploadSource> {
  const { size, mtimeMs } = await stat(path)
  const lastModified = Math.round(mtimeMs)

  async function checkUnchanged(): Promise<void> {
    const now = await stat(path)
    if (now.size !== size || Math.round(now.mtimeMs) !== lastModified)
      throw new UploadFailed(`${path} has changed while it was being uploaded. Start again.`)
  }

  return {
    name: basename(path),
    type: '',
    size,
    lastModified,
    async send(request, watch) {
      await checkUnchanged()
      return await sendFromDisk(path, request, watch)
    },
  }
}

async function sendFromDisk(
  path: string,
  { method, url, headers, from, to, formType }: UploadRequest,
  { signal, onSent }: UploadWatch,
): Promise<UploadAnswer> {
  const wrapping = formType === undefined ? noWrapping : formAround(basename(path), formType)
  const length = wrapping.before.length + (to - from) + wrapping.after.length
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const outgoing = send(url, {
    method,
    headers: { ...headers, ...wrapping.headers, 'content-length': length },
    signal,
  })
  const answered = answerTo(outgoing)
  async function* body() {
    yield wrapping.before
    let sent = 0
    // The end is inclusive here.
    for await (const chunk of createReadStream(path, { start: from, end: to - 1 })) {
      yield chunk
      sent += chunk.length
      onSent(sent)
    }
    yield wrapping.after
  }
  // A server may answer, and close, before it has read everything: then its answer counts, not the broken pipe.
  const sending = pipeline(body, outgoing).catch(() => undefined)
  const answer = await answered
  if (!outgoing.writableFinished) outgoing.destroy()
  await sending
  return answer
}

function answerTo(outgoing: ClientRequest): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= maxAnswerBytes) chunks.push(chunk)
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          etag: response.headers.etag ?? null,
          retryAfter: response.headers['retry-after'] ?? null,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
  })
}

const noWrapping = { headers: {}, before: Buffer.alloc(0), after: Buffer.alloc(0) }

/** `multipart/form-data` with the one field `file`. */
function formAround(name: string, type: string) {
  const boundary = `----atrium${newId()}`
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    before: Buffer.from(formPartHead(boundary, name, type)),
    after: Buffer.from(`\r\n--${boundary}--\r\n`),
  }
}
