import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { waitUntil } from '@atrium/testkit'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sha256Hex } from './signature/canonical-request.ts'
import { cutOff, openUpload, sendSignedTo } from './test/raw-requests.ts'
import { bucket, codeIn, failureOf, randomKey, type StoreWorld, startStore } from './test/store-world.ts'

let world: StoreWorld
beforeAll(async () => {
  world = await startStore({ idleMs: 1_500, limits: { putBytes: 50_000_000 } })
})
afterAll(() => world.stop())
afterEach(async () => {
  expect(world.errors).toEqual([])
  await waitUntil(() => readdirSync(join(world.folder, 'temporary')).length === 0 || 'a draft is left')
  world.clock.aheadMs = 0
})

const put = (Key: string, Body: string | Buffer) =>
  world.client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
const exists = async (Key: string) =>
  (await failureOf(world.client.send(new HeadObjectCommand({ Bucket: bucket, Key })))) === undefined
const putAddress = (Key: string, more: object = {}, expiresIn = 3600) =>
  getSignedUrl(world.client, new PutObjectCommand({ Bucket: bucket, Key, ...more }), { expiresIn })

async function send(url: string, init: RequestInit = {}): Promise<[number, string | undefined, string]> {
  const response = await fetch(url, init)
  const text = await response.text()
  return [response.status, codeIn(text), text]
}

const sendSigned = (method: string, path: string, body: string, more?: Record<string, string>) =>
  sendSignedTo(world.endpoint, method, path, body, more)

describe('[O20] addresses that were not signed like this', () => {
  test('without a signature, nothing is allowed', async () => {
    await put('secret', 'x')
    for (const [method, path] of [
      ['GET', '/secret'],
      ['HEAD', '/secret'],
      ['PUT', '/new'],
      ['DELETE', '/secret'],
      ['GET', '?list-type=2'],
      ['GET', '?uploads='],
      ['POST', '?delete='],
    ] as const)
      expect((await send(`${world.endpoint}/${bucket}${path}`, { method }))[0], `${method} ${path}`).toBe(403)
    expect(await exists('secret')).toBe(true)
  })

  test('every changed part of a presigned address is noticed', async () => {
    const Key = randomKey()
    const url = await putAddress(Key)
    const later = new Date(Date.now() + 60_000).toISOString().replace(/[-:]|\.\d+/g, '')
    type Refusal = [status: number, code: string]
    const forged: Refusal = [403, 'SignatureDoesNotMatch']
    const malformed: Refusal = [400, 'AuthorizationQueryParametersError']
    const changes: [string, Refusal, string, RequestInit?][] = [
      ['another key', forged, url.replace(Key, `${Key}2`)],
      ['another bucket', forged, url.replace(`/${bucket}/`, '/other/')],
      ['a longer life', forged, url.replace('X-Amz-Expires=3600', 'X-Amz-Expires=7200')],
      ['a later date', forged, url.replace(/X-Amz-Date=\w+/, `X-Amz-Date=${later}`)],
      ['one more parameter', forged, `${url}&partNumber=1`],
      ['a repeated parameter', malformed, `${url}&X-Amz-Expires=3600`],
      ['another signature', forged, url.replace(/Signature=\w{4}/, 'Signature=0000')],
      ['an empty signature', forged, url.replace(/Signature=\w+/, 'Signature=')],
      ['no signature', forged, url.replace(/&X-Amz-Signature=\w+/, '')],
      [
        'an upper-case signature',
        forged,
        url.replace(/Signature=\w+/, (text) => text.toUpperCase().replace('SIGNATURE', 'Signature')),
      ],
      ['other signed headers', forged, url.replace('SignedHeaders=host', 'SignedHeaders=accept%3Bhost')],
      ['no signed headers', malformed, url.replace('SignedHeaders=host', 'SignedHeaders=')],
      [
        'an unsigned header that counts',
        [403, 'AccessDenied'],
        url,
        { headers: { 'x-amz-copy-source': `${bucket}/secret` } },
      ],
      [
        'a second credential',
        [400, 'InvalidArgument'],
        url,
        { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=x' } },
      ],
      ['another method', forged, url, { method: 'DELETE' }],
      ['another host', forged, url.replace('127.0.0.1', 'localhost')],
      ['a wrong expiry', malformed, url.replace('X-Amz-Expires=3600', 'X-Amz-Expires=1e9')],
      ['a wrong credential', [403, 'InvalidAccessKeyId'], url.replace('AKIDEXAMPLE', 'AKIDOTHER')],
    ]
    for (const [name, refusal, changed, init] of changes) {
      const [status, code] = await send(changed, { method: 'PUT', body: 'forged', ...init })
      expect([status, code], name).toEqual(refusal)
    }
    expect(await exists(Key)).toBe(false)
    expect((await send(url, { method: 'PUT', body: 'right' }))[0]).toBe(200)
  })

  test('an expired address says so, and one from the future too', async () => {
    const Key = randomKey()
    const url = await putAddress(Key, {}, 60)
    world.clock.aheadMs = 61_000
    expect(await send(url, { method: 'PUT', body: 'late' })).toEqual([
      403,
      'AccessDenied',
      expect.stringContaining('Request has expired'),
    ])
    world.clock.aheadMs = -3_600_000
    expect(await send(url, { method: 'PUT', body: 'early' })).toEqual([
      403,
      'AccessDenied',
      expect.stringContaining('not valid yet'),
    ])
    expect(await failureOf(put(Key, 'skewed'))).toBe('RequestTimeTooSkewed')
    world.clock.aheadMs = 0
    expect(await exists(Key)).toBe(false)
  })

  test('a body that does not have its signed hash is not stored', async () => {
    const hash = { 'x-amz-content-sha256': sha256Hex('other') }
    expect(await sendSigned('PUT', `/${bucket}/hashed`, 'body', hash)).toEqual([
      400,
      'XAmzContentSHA256Mismatch',
    ])
    const odd = { 'x-amz-content-sha256': 'STREAMING-WHATEVER' }
    expect(await sendSigned('PUT', `/${bucket}/hashed`, 'body', odd)).toEqual([400, 'InvalidArgument'])
    expect(await exists('hashed')).toBe(false)
  })
})

describe('[O7] names that try to leave the folder', () => {
  test.each([
    '../../../../tmp/escaped',
    '..',
    '.',
    './a',
    'a/../../b',
    '%2e%2e/%2e%2e/escaped',
    '..%2f..%2fescaped',
    '....//escaped',
    '\\..\\..\\escaped',
    '/etc/passwd',
    '~root',
    'a/./b',
  ])('%s is a key like any other', async (name) => {
    const path = `/${bucket}/${name}`
    expect(await sendSigned('PUT', path, 'inside')).toEqual([200, undefined])
    expect(await sendSigned('GET', path, '')).toEqual([200, undefined])
    expect(await sendSigned('DELETE', path, '')).toEqual([204, undefined])
    expect(existsSync('/tmp/escaped')).toBe(false)
    expect(readdirSync(world.folder).toSorted()).toEqual(['objects', 'temporary', 'uploads'])
  })

  test('keys that cannot be listed, read or stored are refused', async () => {
    const refusals: Record<string, string> = {
      '%00': 'InvalidArgument',
      'a%0ab': 'InvalidArgument',
      '%ff': 'InvalidURI',
      '%': 'InvalidURI',
      [`${'k'.repeat(1_025)}`]: 'KeyTooLongError',
    }
    for (const [name, code] of Object.entries(refusals)) {
      const [status, given] = await send(`${world.endpoint}/${bucket}/${name}`, { method: 'PUT', body: 'x' })
      expect([status, given], name.slice(0, 20)).toEqual([400, code])
    }
    expect(await sendSigned('PUT', `/${bucket}/${'k'.repeat(1_024)}`, 'x')).toEqual([200, undefined])
  })
})

describe('[O18] bodies', () => {
  test('XML that is too large, not XML, too deep or full of entities', async () => {
    const Key = randomKey()
    const { UploadId } = await world.client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }))
    const complete = `/${bucket}/${Key}?uploadId=${UploadId}`
    const bodies: Record<string, string> = {
      huge: `<CompleteMultipartUpload>${'<Part/>'.repeat(400_000)}</CompleteMultipartUpload>`,
      deep: '<a>'.repeat(50_000),
      nonsense: '{"parts": []}',
      'another root': '<Delete><Object><Key>a</Key></Object></Delete>',
      entities: `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1000)}">]><CompleteMultipartUpload>&a;</CompleteMultipartUpload>`,
      prototype: '<__proto__><Part/></__proto__>',
      'odd numbers':
        '<CompleteMultipartUpload><Part><PartNumber>1e3</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>',
    }
    for (const [name, body] of Object.entries(bodies)) {
      const [status, code] = await sendSigned('POST', complete, body)
      expect([status, code], name).toEqual([400, name === 'huge' ? 'EntityTooLarge' : 'MalformedXML'])
    }
    const Objects = Array.from({ length: 1_001 }, (_, index) => ({ Key: `k${index}` }))
    const tooMany = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } })
    expect(await failureOf(world.client.send(tooMany))).toBe('MalformedXML')
  })

  test('10,000 parts are listed in one request', async () => {
    const Key = randomKey()
    const { UploadId } = await world.client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }))
    const Parts = Array.from({ length: 10_000 }, (_, index) => ({
      PartNumber: index + 1,
      ETag: `"${'0'.repeat(32)}"`,
    }))
    const command = new CompleteMultipartUploadCommand({
      Bucket: bucket,
      Key,
      UploadId,
      MultipartUpload: { Parts },
    })
    expect(await failureOf(world.client.send(command))).toBe('InvalidPart')
  })

  test('without a length, too long, or cut short', async () => {
    const url = await putAddress('bodies')
    expect(await cutOff(url, 'Transfer-Encoding: chunked', '0\r\n\r\n')).toContain('MissingContentLength')
    expect(await cutOff(url, 'Content-Length: 60000000', 'some')).toContain('EntityTooLarge')
    await cutOff(url, 'Content-Length: 1000', 'only the beginning', 'leave')
    expect(await exists('bodies')).toBe(false)
  })

  test('a client that falls silent is told, and leaves nothing', async () => {
    const url = await putAddress('silent')
    expect(await cutOff(url, 'Content-Length: 1000', 'half')).toContain('RequestTimeout')
    expect(await exists('silent')).toBe(false)
  })

  test('a download that nobody reads ends', async () => {
    await put('unread', randomBytes(20_000_000))
    const url = new URL(
      await getSignedUrl(world.client, new GetObjectCommand({ Bucket: bucket, Key: 'unread' })),
    )
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => undefined).pause()
    socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`)
    await waitUntil(
      () => (socket.localPort !== undefined && world.isConnected(socket.localPort)) || 'not connected yet',
    )
    await waitUntil(() => !world.isConnected(socket.localPort ?? 0) || 'still open')
    socket.destroy()
  })

  test('a client that sends a byte now and then is told, and leaves nothing', async () => {
    const socket = openUpload(await putAddress('trickle'), 'Content-Length: 1000000')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    await waitUntil(() => {
      socket.write('x')
      return answer.includes('</Error>') || 'no answer yet'
    })
    expect(answer).toContain('RequestTimeout')
    socket.destroy()
    expect(await exists('trickle')).toBe(false)
  })
})

describe('operations that do not exist', () => {
  test.each([
    ['GET', '?acl=', 501],
    ['PUT', '/key?acl=', 501],
    ['GET', '/key?versionId=1', 501],
    ['PUT', '/key?partNumber=1', 501],
    ['POST', '/key', 405],
    ['GET', '', 501],
    ['PUT', '?versioning=', 501],
    ['DELETE', '', 501],
  ])('%s %s is refused with %i', async (method, path, status) => {
    const code = status === 405 ? 'MethodNotAllowed' : 'NotImplemented'
    expect(await sendSigned(method, `/${bucket}${path}`, '')).toEqual([status, code])
  })

  test('headers that would change what is stored are refused, not ignored', async () => {
    const encrypted = { 'x-amz-server-side-encryption': 'AES256' }
    expect(await sendSigned('PUT', `/${bucket}/k`, 'x', encrypted)).toEqual([501, 'NotImplemented'])
    const crc = { 'x-amz-checksum-crc32c': 'AAAAAA==' }
    expect(await sendSigned('PUT', `/${bucket}/k`, 'x', crc)).toEqual([501, 'NotImplemented'])
    const metadata = { 'x-amz-meta-long': 'm'.repeat(3_000) }
    expect(await sendSigned('PUT', `/${bucket}/k`, 'x', metadata)).toEqual([400, 'MetadataTooLarge'])
    expect(await exists('k')).toBe(false)
  })

  test('part numbers and uploads that cannot be', async () => {
    const Key = randomKey()
    const { UploadId = '' } = await world.client.send(
      new CreateMultipartUploadCommand({ Bucket: bucket, Key }),
    )
    for (const PartNumber of [0, 10_001, -1])
      expect(
        await failureOf(
          world.client.send(new UploadPartCommand({ Bucket: bucket, Key, UploadId, PartNumber, Body: 'x' })),
        ),
      ).toBe('InvalidArgument')
    for (const wrong of ['..', '../objects', 'x', `${UploadId}x`, 'A'.repeat(32)])
      expect(
        await failureOf(
          world.client.send(
            new UploadPartCommand({ Bucket: bucket, Key, UploadId: wrong, PartNumber: 1, Body: 'x' }),
          ),
        ),
      ).toBe('NoSuchUpload')
    const elsewhere = new UploadPartCommand({
      Bucket: bucket,
      Key: 'other',
      UploadId,
      PartNumber: 1,
      Body: 'x',
    })
    expect(await failureOf(world.client.send(elsewhere))).toBe('NoSuchUpload')
  })
})

test('[O22] pages of allowed origins may upload and read the ETag; others may not', async () => {
  const strict = await startStore({ allowedOrigins: ['https://console.example.org'] })
  const preflight = (origin: string) =>
    fetch(`${strict.endpoint}/${bucket}/x`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'content-type',
      },
    })
  const allowed = await preflight('https://console.example.org')
  expect(allowed.status).toBe(204)
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://console.example.org')
  expect(allowed.headers.get('access-control-allow-methods')).toContain('PUT')
  expect(allowed.headers.get('access-control-allow-headers')).toBe('content-type')
  expect((await preflight('https://evil.example.org')).headers.get('access-control-allow-origin')).toBeNull()
  const url = await putAddress(randomKey())
  const stored = await fetch(url, {
    method: 'PUT',
    body: 'x',
    headers: { origin: 'https://any.example.org' },
  })
  expect(stored.headers.get('access-control-expose-headers')).toContain('ETag')
  const refused = await fetch(url.replace(/.$/, '0'), {
    method: 'PUT',
    body: 'x',
    headers: { origin: 'https://any.example.org' },
  })
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  await strict.stop()
})
