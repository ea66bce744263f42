import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { waitUntil } from '@atrium/testkit'
import { canonicalRequest, sha256Hex } from '../signature/canonical-request.ts'
import { sign, signingKey } from '../signature/signing-key.ts'
import { codeIn, credentials } from './store-world.ts'

/** A request with a signature in its header, made by hand so that it can say anything. */
export async function sendSignedTo(
  endpoint: string,
  method: string,
  path: string,
  body: string,
  more: Record<string, string> = {},
): Promise<[number, string | undefined]> {
  const url = new URL(endpoint)
  const [pathname = '', search = ''] = `${url.pathname}${path}`.split('?')
  const timestamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const headers: Record<string, string> = {
    host: url.host,
    'x-amz-content-sha256': sha256Hex(body),
    'x-amz-date': timestamp,
    ...more,
  }
  const signedHeaders = Object.keys(headers).toSorted()
  const scope = { date: timestamp.slice(0, 8), region: 'us-east-1' }
  const canonical = canonicalRequest({
    request: {
      method,
      rawPath: pathname,
      query:
        search === ''
          ? []
          : search.split('&').map((pair) => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? '']),
      headers: new Map(Object.entries(headers)),
    },
    signedHeaders,
    payloadHash: headers['x-amz-content-sha256'] ?? '',
  })
  const text = [
    'AWS4-HMAC-SHA256',
    timestamp,
    `${scope.date}/us-east-1/s3/aws4_request`,
    sha256Hex(canonical),
  ]
  const signature = sign(signingKey(credentials.secretAccessKey, scope), text.join('\n'))
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope.date}/us-east-1/s3/aws4_request, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`
  // Not fetch, which would normalise the path.
  return await new Promise((resolve, reject) => {
    const sending = request(
      {
        host: url.hostname,
        port: url.port,
        method,
        path: `${url.pathname}${path}`,
        headers: { ...headers, authorization, 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        let answer = ''
        response.on('data', (chunk) => {
          answer += chunk
        })
        response.on('end', () => resolve([response.statusCode ?? 0, codeIn(answer)]))
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}

/** Begins an upload whose body the test writes, or not. */
export function openUpload(address: string, framing: string): Socket {
  const url = new URL(address)
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => undefined)
  const head = `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${framing}\r\n\r\n`
  socket.write(head)
  return socket
}

/** Sends less than announced and returns what comes back, if the client stays. */
export async function cutOff(
  address: string,
  framing: string,
  body: string,
  then: 'stay' | 'leave' = 'stay',
): Promise<string> {
  const socket = openUpload(address, framing)
  socket.write(body)
  if (then === 'leave') {
    socket.end()
    return ''
  }
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await waitUntil(() => answer.includes('</Error>') || 'no answer yet')
  socket.destroy()
  return answer
}
