import { createReadStream } from 'node:fs'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

const agent = new Agent({ keepAlive: true })
/** Larger reads than Node's 64 KiB, so that the client is not what is measured. */
const readBytes = 1_048_576

/** Sends bytes `first` to `last` of a file in one PUT, and returns the ETag. */
export async function putFile(url: string, file: string, first: number, last: number): Promise<string> {
  return await new Promise((resolve, reject) => {
    const sending = request(
      url,
      { method: 'PUT', agent, headers: { 'content-length': last - first + 1 } },
      (response) => {
        text(response).then((body) => {
          const { statusCode = 0, headers } = response
          if (statusCode < 300) resolve(headers.etag ?? '')
          else reject(new Error(`${statusCode}: ${body}`))
        }, reject)
      },
    )
    sending.on('error', reject)
    const source = createReadStream(file, { start: first, end: last, highWaterMark: readBytes })
    source.on('error', reject).pipe(sending)
  })
}

export const closeConnections = (): void => agent.destroy()
