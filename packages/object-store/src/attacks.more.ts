import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { waitUntil } from '@atrium/testkit'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sendSignedTo } from './test/raw-requests.ts'
import {
  bucket as Bucket,
  codeIn,
  failureOf,
  randomKey,
  type StoreWorld,
  startStore,
} from './test/store-world.ts'
import { beginUpload, filesIn, put, read, small } from './test/stores.ts'

// What somebody tries who holds an address for one part of one upload, and wants more.
let world: StoreWorld
beforeAll(async () => {
  world = await startStore({ ...small, maxBytes: 50_000_000 })
})
afterAll(() => world.stop())
afterEach(() => expect(world.errors).toEqual([]))

interface PartAddress {
  Key: string
  UploadId: string
  /** Path and query. */
  target: string
}

async function partAddress(Key = `films/${randomKey()} ü~(1).mp4`): Promise<PartAddress> {
  const { UploadId = '' } = await world.client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
  const part = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, ContentLength: 4 })
  const { pathname, search } = new URL(await getSignedUrl(world.client, part, { expiresIn: 3_600 }))
  return { Key, UploadId, target: pathname + search }
}

/** Sends the target as it is: fetch would tidy it up. */
function send(
  target: string,
  { method = 'PUT', body = 'film', headers = {} }: { method?: string; body?: string; headers?: object } = {},
): Promise<[number, string | undefined]> {
  const { hostname, port, host } = new URL(world.endpoint)
  const length = { 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const all = { host, ...length, ...headers }
    const sending = request({ hostname, port, method, path: target, headers: all }, (response) => {
      let answer = ''
      response.on('data', (chunk) => {
        answer += chunk
      })
      response.on('end', () => resolve([response.statusCode ?? 0, codeIn(answer)]))
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

const replace = (from: string | RegExp, to: string) => (target: string) => target.replace(from, to)
const without = (name: string) => replace(new RegExp(`&?${name}=[^&]*`), '')

describe('[O15] [O20] an address for a part', () => {
  test.each<[string, (target: string) => string, object?]>([
    ['a slash that is encoded', replace('/films/test/', '/films%2Ftest/')],
    ['a key that is encoded twice', replace('%20', '%2520')],
    ['a plus for a blank', replace('%20', '+')],
    ['a key in another normal form', replace('%C3%BC', 'u%CC%88')],
    ['a path that goes up', replace('/films/test/', '/films/other/../test/')],
    ['a path with a second slash', replace('/films/test/', '/films//test/')],
    ['a NUL after the key', replace('.mp4', '.mp4%00')],
    ['a key in other letters', replace('.mp4', '.MP4')],
    ['another bucket', replace(`/${Bucket}/`, '/other/')],
    ['no bucket', replace(`/${Bucket}/`, '//')],
    ['a target with an origin', (target) => `http://127.0.0.1${target}`],
    ['another part', replace('partNumber=1', 'partNumber=2')],
    ['a part beyond all', replace('partNumber=1', 'partNumber=10001')],
    ['the part as another number', replace('partNumber=1', 'partNumber=01')],
    ['a second part', (target) => `${target}&partNumber=2`],
    ['another upload', replace(/uploadId=[^&]+/, `uploadId=${'A'.repeat(32)}`)],
    ['no part, which would be the whole object', without('partNumber')],
    ['no upload', without('uploadId')],
    ['neither', (target) => without('uploadId')(without('partNumber')(target))],
    ['no expiry', without('X-Amz-Expires')],
    ['an expiry of a year', replace('Expires=3600', 'Expires=31536000')],
    ['an expiry below zero', replace('Expires=3600', 'Expires=-1')],
    ['an expiry with an exponent', replace('Expires=3600', 'Expires=3.6e3')],
    ['an expiry with zeros before it', replace('Expires=3600', 'Expires=003600')],
    ['a parameter in other letters', replace('X-Amz-Expires', 'x-amz-expires')],
    ['a second signature', (target) => `${target}&x-amz-signature=${'0'.repeat(64)}`],
    ['half a signature', replace(/(Signature=\w{32})\w{32}/, '$1')],
    ['a signature and more', replace(/Signature=(\w+)/, 'Signature=$10')],
    ['other signed headers', replace('content-length%3Bhost', 'host')],
    ['a copy of another object', (target) => `${target}&x-amz-copy-source=${Bucket}/secret`],
    ['a list', (target) => `${target}&list-type=2`],
    ['a copy, by a header', (target) => target, { headers: { 'x-amz-copy-source': `${Bucket}/secret` } }],
    ['a header that is not signed', (target) => target, { headers: { 'x-amz-meta-a': 'b' } }],
    [
      'another kind of body',
      (target) => target,
      { headers: { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' } },
    ],
    ['another host', (target) => target, { headers: { host: 'elsewhere.example.org' } }],
    ['more than agreed', (target) => target, { body: 'video, and more' }],
    ['less than agreed', (target) => target, { body: 'fi' }],
    ['reading instead of writing', (target) => target, { method: 'GET', body: '' }],
    ['deleting instead of writing', (target) => target, { method: 'DELETE', body: '' }],
    ['completing instead of writing', (target) => target, { method: 'POST' }],
    [
      'another method by a header',
      (target) => target,
      { method: 'GET', body: '', headers: { 'x-http-method-override': 'PUT' } },
    ],
  ])('does not allow %s', async (_, change, more) => {
    const { Key, UploadId, target } = await partAddress()
    const changed = change(target)
    expect(changed !== target || more !== undefined).toBe(true)
    const [status] = await send(changed, more)
    expect([400, 403, 404]).toContain(status)
    expect(await failureOf(world.client.send(new HeadObjectCommand({ Bucket, Key })))).toBe('NotFound')
    const listed = { Bucket, Key, UploadId, MultipartUpload: { Parts: [{ PartNumber: 1, ETag: 'x' }] } }
    expect(await failureOf(world.client.send(new CompleteMultipartUploadCommand(listed)))).toBe('InvalidPart')
    expect(await send(target)).toEqual([200, undefined])
    await world.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  })

  test('is worth nothing once its upload is complete or abandoned, and never leads into another', async () => {
    const [one, other] = [await partAddress(), await partAddress()]
    expect(await send(one.target)).toEqual([200, undefined])
    const ETag = `"${createHash('md5').update('film').digest('hex')}"`
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] }
    const complete = (Key: string, UploadId: string) =>
      failureOf(
        world.client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload })),
      )
    const abandon = ({ Key, UploadId }: PartAddress) =>
      failureOf(world.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })))
    // The part exists, but not here.
    expect(await complete(other.Key, other.UploadId)).toBe('InvalidPart')
    expect(await complete(other.Key, one.UploadId)).toBe('NoSuchUpload')
    expect(await complete(one.Key, other.UploadId)).toBe('NoSuchUpload')
    expect(await abandon({ ...other, UploadId: one.UploadId })).toBe('NoSuchUpload')
    expect(await complete(one.Key, one.UploadId)).toBeUndefined()
    expect(await abandon(other)).toBeUndefined()
    for (const { target } of [one, other]) expect(await send(target)).toEqual([404, 'NoSuchUpload'])
    expect(await read(world, one.Key)).toBe('film')
  })

  test('cannot be used for two requests in one', async () => {
    const { Key, UploadId, target } = await partAddress()
    const { hostname, port, host } = new URL(world.endpoint)
    for (const framing of [
      'Content-Length: 4\r\nContent-Length: 40',
      'Content-Length: 4\r\nTransfer-Encoding: chunked',
      'Content-Length: 4, 4',
      'Content-Length: +4',
    ]) {
      const socket = connect(Number(port), hostname)
      let answer = ''
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          answer += chunk
        })
      socket.write(`PUT ${target} HTTP/1.1\r\nHost: ${host}\r\n${framing}\r\n\r\nfilm`)
      await waitUntil(() => answer !== '' || 'no answer yet')
      expect(answer, framing).toMatch(/^HTTP\/1\.1 4/)
      socket.destroy()
    }
    await world.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  })
})

test('[O20] a kind of body that only looks known is refused', async () => {
  for (const kind of [
    'constructor',
    '__proto__',
    'toString',
    'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD',
    '',
  ]) {
    const [status, code] = await sendSignedTo(world.endpoint, 'PUT', `/${Bucket}/odd`, 'x', {
      'x-amz-content-sha256': kind,
      'x-amz-decoded-content-length': '1',
    })
    expect([status, code], kind).toEqual([400, 'InvalidArgument'])
  }
})

test('[O13] [O14] of completing and abandoning at the same time, one wins, and nothing is left of the other', async () => {
  for (let round = 0; round < 10; round++) {
    const Key = randomKey()
    const upload = await beginUpload(world, Key, 'one', 'two')
    const { UploadId } = upload
    const part = { Bucket, Key, UploadId, PartNumber: 2, Body: 'other' }
    const outcomes = await Promise.all([
      failureOf(world.client.send(new CompleteMultipartUploadCommand(upload))),
      failureOf(world.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))),
      failureOf(world.client.send(new CompleteMultipartUploadCommand(upload))),
      failureOf(world.client.send(new UploadPartCommand(part))),
    ])
    const isThere = (await failureOf(world.client.send(new HeadObjectCommand({ Bucket, Key })))) === undefined
    expect(isThere, String(outcomes)).toBe(outcomes[0] === undefined || outcomes[2] === undefined)
    expect(isThere && outcomes[1] === undefined, String(outcomes)).toBe(false)
    if (isThere) expect(await read(world, Key)).toBe('onetwo')
    const left = filesIn(world.folder).filter((name) => name.includes(UploadId))
    expect(left.length > 0, String(left)).toBe(isThere || outcomes[1] !== undefined)
    await world.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined)
  }
})

test('[O3] ranges without sense or end are answered once, within the object', async () => {
  await put(world, 'ranged', randomBytes(1_000))
  const url = await getSignedUrl(world.client, new GetObjectCommand({ Bucket, Key: 'ranged' }))
  const many = `bytes=${Array.from({ length: 1_000 }, () => '0-').join(',')}`
  for (const [range, status, bytes] of [
    [many, 200, 1_000],
    ['bytes=0-999999999999999', 206, 1_000],
    ['bytes=0-99999999999999999999999999', 200, 1_000],
    ['bytes=-999999999999999', 206, 1_000],
    ['bytes=999999999999999-', 416, undefined],
    ['bytes=-0', 416, undefined],
    ['bytes=5-1', 200, 1_000],
    ['bytes=0x1-0x2', 200, 1_000],
    ['bytes=--1', 200, 1_000],
  ] as const) {
    const response = await fetch(url, { headers: { range } })
    const body = await response.arrayBuffer()
    expect(response.status, range.slice(0, 40)).toBe(status)
    if (bytes !== undefined) expect(body.byteLength, range.slice(0, 40)).toBe(bytes)
  }
})

test('[O20] an address to read one object lists nothing and reads no other', async () => {
  await put(world, 'mine', 'mine')
  await put(world, 'theirs', 'theirs')
  const { pathname, search } = new URL(
    await getSignedUrl(world.client, new GetObjectCommand({ Bucket, Key: 'mine' })),
  )
  const get = { method: 'GET', body: '' }
  expect(await send(pathname + search, get)).toEqual([200, undefined])
  for (const path of [`/objects/${Bucket}`, `/objects/${Bucket}/`, pathname.replace('mine', 'theirs')])
    for (const query of [search, `${search}&list-type=2`, `${search}&uploads=`])
      expect((await send(path + query, get))[0], path + query).toBe(403)
  const list = new URL(await getSignedUrl(world.client, new ListObjectsV2Command({ Bucket, Prefix: 'mine' })))
  expect(await send(list.pathname + list.search, get)).toEqual([200, undefined])
  expect((await send(list.pathname + list.search.replace('prefix=mine', 'prefix='), get))[0]).toBe(403)
})
