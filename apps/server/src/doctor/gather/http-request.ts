import { request } from 'node:http'
import { request as secureRequest } from 'node:https'

export interface HttpReply {
  status: number
  headers: Record<string, string | undefined>
  body: string
  /** By its header Date, which counts in seconds. */
  clockAheadMs: number | undefined
}

interface HttpQuestion {
  method?: string
  headers?: Record<string, string>
  body?: string
  signal: AbortSignal
}

const maxBodyChars = 100_000

/** Not fetch, which browsers' rules keep from sending an Origin of its choice. */
export function askOverHttp(url: string, { body, ...question }: HttpQuestion): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? secureRequest : request
    const outgoing = send(url, { agent: false, ...question }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.length > maxBodyChars) response.destroy(new Error('too long a reply'))
      })
      response.on('error', reject)
      response.on('end', () => {
        const { date } = response.headers
        const headers = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]),
        )
        const sentAt = Date.parse(date ?? '')
        resolve({
          status: response.statusCode ?? 0,
          headers,
          body: text,
          // A header of 12:00:00 was written somewhere in that second.
          clockAheadMs: Number.isNaN(sentAt) ? undefined : sentAt + 500 - Date.now(),
        })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
