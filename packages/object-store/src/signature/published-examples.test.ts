import { describe, expect, test } from 'vitest'
import { decodeAwsChunked } from '../body/aws-chunked.ts'
import type { S3Request } from '../http/s3-request.ts'
import { verifyRequest } from './verify-request.ts'

// The examples of "Authenticating Requests (AWS Signature Version 4)" in the reference of S3, with their signatures.
const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const date = '20130524T000000Z'
const now = Date.UTC(2013, 4, 24, 0, 1)
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Example {
  method: string
  rawPath: string
  query?: [string, string][]
  headers: Record<string, string>
  signedHeaders: string
  signature: string
}

const requestOf = ({
  method,
  rawPath,
  query = [],
  headers,
  signedHeaders,
  signature,
}: Example): S3Request => ({
  method,
  rawPath,
  query,
  headers: new Map(
    Object.entries({
      'x-amz-date': date,
      ...headers,
      authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signedHeaders},Signature=${signature}`,
    }),
  ),
  bucket: '',
  key: '',
})
const host = 'examplebucket.s3.amazonaws.com'

const examples: Record<string, Example> = {
  'GET of an object with a range': {
    method: 'GET',
    rawPath: '/test.txt',
    headers: { host, range: 'bytes=0-9', 'x-amz-content-sha256': emptySha256 },
    signedHeaders: 'host;range;x-amz-content-sha256;x-amz-date',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  'PUT of an object': {
    method: 'PUT',
    rawPath: '/test%24file.text',
    headers: {
      host,
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    signedHeaders: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  'GET of the lifecycle of a bucket': {
    method: 'GET',
    rawPath: '/',
    query: [['lifecycle', '']],
    headers: { host, 'x-amz-content-sha256': emptySha256 },
    signedHeaders: 'host;x-amz-content-sha256;x-amz-date',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  'GET of a list': {
    method: 'GET',
    rawPath: '/',
    query: [
      ['prefix', 'J'],
      ['max-keys', '2'],
    ],
    headers: { host, 'x-amz-content-sha256': emptySha256 },
    signedHeaders: 'host;x-amz-content-sha256;x-amz-date',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
}

describe('[O20] the published examples of signatures', () => {
  test.each(Object.entries(examples))('%s', (_name, example) => {
    expect(verifyRequest(requestOf(example), [credentials], now)).toMatchObject({ kind: 'hashed' })
    const forged = {
      ...example,
      signature: example.signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    }
    expect(() => verifyRequest(requestOf(forged), [credentials], now)).toThrow('does not match')
  })

  test('a presigned address, until it expires', () => {
    const query: [string, string][] = [
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
      ['X-Amz-Credential', `${credentials.accessKeyId}/20130524/us-east-1/s3/aws4_request`],
      ['X-Amz-Date', date],
      ['X-Amz-Expires', '86400'],
      ['X-Amz-SignedHeaders', 'host'],
      ['X-Amz-Signature', 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404'],
    ]
    const request = {
      method: 'GET',
      rawPath: '/test.txt',
      query,
      headers: new Map([['host', host]]),
      bucket: '',
      key: '',
    }
    expect(verifyRequest(request, [credentials], now)).toEqual({ kind: 'unsigned' })
    const signedAt = Date.UTC(2013, 4, 24)
    expect(() => verifyRequest(request, [credentials], signedAt + 86_399_999)).not.toThrow()
    expect(() => verifyRequest(request, [credentials], signedAt + 86_400_000)).toThrow('Request has expired')
    expect(() => verifyRequest(request, [credentials], signedAt - 16 * 60_000)).toThrow('not valid yet')
    const longer = query.map(([name, value]): [string, string] => [
      name,
      name === 'X-Amz-Expires' ? '86401' : value,
    ])
    expect(() => verifyRequest({ ...request, query: longer }, [credentials], now)).toThrow('does not match')
  })
})

describe('[O21] the published example of signed chunks', () => {
  const signatures = [
    'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
    '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
    'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
  ]
  const head: Example = {
    method: 'PUT',
    rawPath: '/examplebucket/chunkObject.txt',
    headers: {
      host: 's3.amazonaws.com',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      'content-encoding': 'aws-chunked',
      'x-amz-decoded-content-length': '66560',
      'content-length': '66824',
    },
    signedHeaders:
      'content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class',
    signature: '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
  }
  const bodyOf = (byte: string): string =>
    [65_536, 1_024, 0]
      .map(
        (size, index) =>
          `${size.toString(16)};chunk-signature=${signatures[index]}\r\n${byte.repeat(size)}\r\n`,
      )
      .join('')

  async function decode(body: string, cut: number): Promise<number> {
    const payload = verifyRequest(requestOf(head), [credentials], now)
    if (payload.kind !== 'chunked') throw new Error('not chunked')
    async function* source(): AsyncGenerator<Buffer> {
      for (let at = 0; at < body.length; at += cut) yield Buffer.from(body.slice(at, at + cut), 'latin1')
    }
    let bytes = 0
    for await (const chunk of decodeAwsChunked(source(), payload, () => undefined)) bytes += chunk.length
    return bytes
  }

  test('is accepted, however the network cuts it', async () => {
    for (const cut of [7, 4_096, 65_536, 100_000]) expect(await decode(bodyOf('a'), cut)).toBe(66_560)
  })

  test('is refused with other bytes, without its end, or with something behind it', async () => {
    await expect(decode(bodyOf('b'), 4_096)).rejects.toThrow('does not match')
    await expect(decode(bodyOf('a').slice(0, -90), 4_096)).rejects.toMatchObject({ code: 'IncompleteBody' })
    await expect(decode(`${bodyOf('a')}more\r\n`, 4_096)).rejects.toMatchObject({
      code: 'InvalidChunkSizeError',
    })
    await expect(decode(bodyOf('a').replace('10000;', 'zz;'), 99)).rejects.toMatchObject({
      code: 'InvalidChunkSizeError',
    })
    await expect(decode('1'.repeat(2_000), 99)).rejects.toMatchObject({ code: 'InvalidChunkSizeError' })
  })
})
