import { CallFailed, refusalOf } from '../../../api/call.ts'
import { texts } from '../../../text/console.ts'

interface SendOptions {
  method: 'POST' | 'PUT'
  url: string
  body: Blob | FormData
  headers?: Record<string, string>
  signal: AbortSignal
  onProgress: (sentBytes: number) => void
}

/** Sends a file or a part of one. Made with XMLHttpRequest because `fetch` does not report how much has been sent. */
export function sendBytes({ method, url, body, headers = {}, signal, onProgress }: SendOptions) {
  return new Promise<XMLHttpRequest>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    const fail = () => reject(new CallFailed('NO_ANSWER', texts().mediaUploads.connectionLost, 0))
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onerror = fail
    request.ontimeout = fail
    request.onabort = () => reject(signal.reason)
    request.onload = () =>
      request.status >= 200 && request.status < 300
        ? resolve(request)
        : reject(refusalOf(request.status, parsed(request.responseText)))
    request.onloadend = () => signal.removeEventListener('abort', stop)
    signal.addEventListener('abort', stop)
    if (signal.aborted) return reject(signal.reason)
    request.send(body)
  })
}

/** Object stores refuse in XML, which says nothing to a researcher. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
