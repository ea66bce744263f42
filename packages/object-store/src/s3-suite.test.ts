import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  codeIn,
  failureOf,
  bucket as ourBucket,
  randomKey,
  type StoreWorld,
  settingsOf,
  startStore,
} from './test/store-world.ts'

// Speaks only S3, so it can be pointed at any: S3_TEST_ENDPOINT (with S3_TEST_REGION, S3_TEST_BUCKET, S3_TEST_ACCESS_KEY_ID
// and S3_TEST_SECRET_ACCESS_KEY) names one to use instead of ours. It leaves nothing behind in the bucket.
const { env } = process
const mebibyte = 1_048_576
const partBytes = 5 * mebibyte

let world: StoreWorld | undefined
let settings: S3ClientConfig
let client: S3Client
let Bucket: string
const prefix = `suite-${randomBytes(6).toString('hex')}/`
const newKey = (): string => prefix + randomKey()

beforeAll(async () => {
  const { S3_TEST_ENDPOINT: endpoint } = env
  if (endpoint) {
    Bucket = env.S3_TEST_BUCKET ?? 'test'
    settings = {
      endpoint,
      region: env.S3_TEST_REGION ?? 'us-east-1',
      credentials: {
        accessKeyId: env.S3_TEST_ACCESS_KEY_ID ?? '',
        secretAccessKey: env.S3_TEST_SECRET_ACCESS_KEY ?? '',
      },
      forcePathStyle: true,
    }
  } else {
    world = await startStore()
    Bucket = ourBucket
    settings = settingsOf(world.endpoint)
  }
  client = new S3Client({ ...settings, requestChecksumCalculation: 'WHEN_REQUIRED' })
})

afterAll(async () => {
  const keys = await listAll(prefix)
  for (const Key of keys) await client.send(new DeleteObjectCommand({ Bucket, Key }))
  expect(await listAll(prefix)).toEqual([])
  await world?.stop()
})

const put = (Key: string, Body: string | Buffer, more: object = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))
const get = (Key: string, more: object = {}) => client.send(new GetObjectCommand({ Bucket, Key, ...more }))
const textOf = async (Key: string, more: object = {}): Promise<string> =>
  (await (await get(Key, more)).Body?.transformToString()) ?? ''
const head = (Key: string) => client.send(new HeadObjectCommand({ Bucket, Key }))
const md5 = (bytes: string | Buffer): string => createHash('md5').update(bytes).digest('hex')

async function listAll(Prefix: string, more: object = {}): Promise<string[]> {
  const keys: string[] = []
  let ContinuationToken: string | undefined
  do {
    const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken, ...more }))
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ''))
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken !== undefined)
  return keys
}

async function begin(Key: string, more: object = {}): Promise<string> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }))
  return UploadId ?? ''
}
const putPart = async (Key: string, UploadId: string, PartNumber: number, Body: Buffer) => ({
  PartNumber,
  ETag: (await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))).ETag,
})
const complete = (
  Key: string,
  UploadId: string,
  Parts: { PartNumber: number; ETag?: string | undefined }[],
) =>
  client.send(
    new CompleteMultipartUploadCommand({
      Bucket,
      Key,
      UploadId,
      MultipartUpload: {
        Parts: Parts.map(({ PartNumber, ETag }) => ({ PartNumber, ...(ETag && { ETag }) })),
      },
    }),
  )

describe('objects', () => {
  test('[O1] what is put is what one gets, with its type, metadata and the MD5 as its ETag', async () => {
    const Key = newKey()
    const Body = randomBytes(3 * mebibyte)
    const { ETag } = await put(Key, Body, {
      ContentType: 'video/mp4',
      CacheControl: 'max-age=60',
      Metadata: { origin: 'laboratory' },
    })
    expect(ETag).toBe(`"${md5(Body)}"`)
    const object = await get(Key)
    expect(Buffer.from((await object.Body?.transformToByteArray()) ?? []).equals(Body)).toBe(true)
    const facts = { ContentType: 'video/mp4', ContentLength: Body.length, ETag, CacheControl: 'max-age=60' }
    expect(object).toMatchObject({ ...facts, Metadata: { origin: 'laboratory' }, AcceptRanges: 'bytes' })
    expect(await head(Key)).toMatchObject(facts)
  })

  test('[O1] empty objects, streams and strings', async () => {
    const Key = newKey()
    await put(Key, '')
    expect(await textOf(Key)).toBe('')
    expect((await head(Key)).ContentLength).toBe(0)
    const stream = Readable.from([Buffer.from('one '), Buffer.from('by one')])
    await client.send(new PutObjectCommand({ Bucket, Key, Body: stream, ContentLength: 10 }))
    expect(await textOf(Key)).toBe('one by one')
  })

  test('[O1] a put replaces the whole object', async () => {
    const Key = newKey()
    await put(Key, 'a long first version', { Metadata: { version: '1' } })
    await put(Key, 'second')
    expect(await textOf(Key)).toBe('second')
    expect((await head(Key)).Metadata).toEqual({})
  })

  test('[O2] an absent object is NoSuchKey; deleting it is not an error', async () => {
    const Key = newKey()
    expect(await failureOf(get(Key))).toBe('NoSuchKey')
    expect(await failureOf(head(Key))).toBe('NotFound')
    await client.send(new DeleteObjectCommand({ Bucket, Key }))
    expect(await failureOf(client.send(new HeadBucketCommand({ Bucket: `${Bucket}-other` })))).toBeDefined()
    await client.send(new HeadBucketCommand({ Bucket }))
  })

  test('[O3] a range is sent as asked for, cut at the end, and refused beyond it', async () => {
    const Key = newKey()
    await put(Key, '0123456789')
    const ranges = {
      'bytes=0-0': '0',
      'bytes=2-5': '2345',
      'bytes=7-': '789',
      'bytes=-3': '789',
      'bytes=8-99': '89',
    }
    for (const [Range, expected] of Object.entries(ranges))
      expect(await textOf(Key, { Range }), Range).toBe(expected)
    expect((await get(Key, { Range: 'bytes=2-5' })).ContentRange).toBe('bytes 2-5/10')
    expect(await failureOf(get(Key, { Range: 'bytes=10-' }))).toBe('InvalidRange')
  })

  test('[O3] a range of another version than the one that If-Range names is not sent; everything is', async () => {
    const Key = newKey()
    const { ETag = '' } = await put(Key, '0123456789')
    const { LastModified = new Date(0) } = await head(Key)
    const address = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn: 60 })
    const earlier = new Date(LastModified.getTime() - 60_000)
    for (const [validator, expected] of [
      [ETag, [206, '234']],
      [LastModified.toUTCString(), [206, '234']],
      ['"another"', [200, '0123456789']],
      [earlier.toUTCString(), [200, '0123456789']],
    ] as const) {
      const response = await fetch(address, { headers: { range: 'bytes=2-4', 'if-range': validator } })
      expect([response.status, await response.text()], validator).toEqual(expected)
    }
  })

  test('[O4] conditions: who has the object already does not get it again', async () => {
    const Key = newKey()
    const { ETag = '' } = await put(Key, 'known')
    const { LastModified = new Date(0) } = await head(Key)
    for (const condition of [{ IfNoneMatch: ETag }, { IfModifiedSince: LastModified }])
      await expect(get(Key, condition)).rejects.toMatchObject({ $metadata: { httpStatusCode: 304 } })
    expect(await textOf(Key, { IfNoneMatch: '"other"' })).toBe('known')
    expect(await textOf(Key, { IfModifiedSince: new Date(LastModified.getTime() - 60_000) })).toBe('known')
    expect(await textOf(Key, { IfMatch: ETag })).toBe('known')
    expect(await failureOf(get(Key, { IfMatch: '"other"' }))).toBe('PreconditionFailed')
    const before = new Date(LastModified.getTime() - 60_000)
    expect(await failureOf(get(Key, { IfUnmodifiedSince: before }))).toBe('PreconditionFailed')
  })

  test('[O4] a conditional put writes only a new object, or only the one that is known', async () => {
    const Key = newKey()
    const { ETag } = await put(Key, 'first', { IfNoneMatch: '*' })
    expect(await failureOf(put(Key, 'second', { IfNoneMatch: '*' }))).toBe('PreconditionFailed')
    expect(await failureOf(put(Key, 'second', { IfMatch: '"other"' }))).toBe('PreconditionFailed')
    await put(Key, 'third', { IfMatch: ETag })
    expect(await textOf(Key)).toBe('third')
  })

  test('[O5] checksums are verified, and a body that does not have them is not stored', async () => {
    const Key = newKey()
    await put(Key, 'right', { ContentMD5: createHash('md5').update('right').digest('base64') })
    const sha256 = createHash('sha256').update('right').digest('base64')
    await put(Key, 'right', { ChecksumSHA256: sha256 })
    expect((await get(Key, { ChecksumMode: 'ENABLED' })).ChecksumSHA256).toBe(sha256)
    await put(Key, 'right', { ChecksumAlgorithm: 'CRC32' })
    await put(Key, 'right', { ChecksumAlgorithm: 'SHA1' })
    const wrong = createHash('md5').update('other').digest('base64')
    expect(await failureOf(put(Key, 'wrong', { ContentMD5: wrong }))).toBe('BadDigest')
    expect(await failureOf(put(Key, 'wrong', { ChecksumSHA256: sha256 }))).toMatch(/BadDigest|InvalidRequest/)
    expect(await failureOf(put(Key, 'wrong', { ContentMD5: 'short' }))).toBe('InvalidDigest')
    expect(await textOf(Key)).toBe('right')
  })

  test('[O6] many objects are deleted at once', async () => {
    const keys = [newKey(), newKey(), newKey()]
    for (const key of keys) await put(key, 'x')
    const Objects = [...keys, newKey()].map((Key) => ({ Key }))
    const { Deleted, Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
    expect(Errors ?? []).toEqual([])
    expect(Deleted).toHaveLength(4)
    for (const key of keys) expect(await failureOf(head(key))).toBe('NotFound')
  })
})

describe('keys', () => {
  const odd = [
    'blank and plus+sign',
    'umläut/日本語/🎬.mp4',
    'quote\'"<&>(!*).mp4',
    'UPPER',
    'upper',
    '%2e%2e%2f',
    '=~+',
    'a',
    'a/b',
    'a/b/c',
    'a//double',
    'trailing/',
    `${'long '.repeat(60)}.mp4`,
    `${'ü'.repeat(250)}/${'x'.repeat(250)}`,
  ]
  test('[O7] any key is one object, also if it is the beginning of another', async () => {
    const base = newKey()
    for (const name of odd) await put(`${base}/${name}`, name)
    for (const name of odd) expect(await textOf(`${base}/${name}`), name).toBe(name)
    expect(new Set(await listAll(`${base}/`))).toEqual(new Set(odd.map((name) => `${base}/${name}`)))
    await client.send(new DeleteObjectCommand({ Bucket, Key: `${base}/a/b` }))
    expect(await failureOf(head(`${base}/a/b`))).toBe('NotFound')
    expect(await textOf(`${base}/a/b/c`)).toBe('a/b/c')
    expect(await textOf(`${base}/a`)).toBe('a')
  })

  test('[O8] lists are in the order of bytes, in pages, with common prefixes', async () => {
    const base = `${newKey()}/`
    const names = ['a', 'a-b', 'a/1', 'a/2', 'a/b/3', 'a0', 'b/1', 'z', 'ä', '🎬', '\u{ff01}']
    for (const name of names.toReversed()) await put(base + name, name)
    const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    for (const MaxKeys of [1, 2, 3, 1000])
      expect(await listAll(base, { MaxKeys })).toEqual(sorted.map((name) => base + name))
    expect(await listAll(`${base}a/`)).toEqual(['a/1', 'a/2', 'a/b/3'].map((name) => base + name))
    expect(await listAll(base, { StartAfter: `${base}b/1` })).toEqual(
      sorted.slice(sorted.indexOf('z')).map((name) => base + name),
    )
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix: base, Delimiter: '/', MaxKeys: 4 }),
    )
    expect(page.Contents?.map(({ Key }) => Key?.slice(base.length))).toEqual(['a', 'a-b', 'a0'])
    expect(page.CommonPrefixes?.map(({ Prefix }) => Prefix?.slice(base.length))).toEqual(['a/'])
    expect(page).toMatchObject({ IsTruncated: true, KeyCount: 4 })
    const rest = await client.send(
      new ListObjectsV2Command({
        Bucket,
        Prefix: base,
        Delimiter: '/',
        ContinuationToken: page.NextContinuationToken,
      }),
    )
    expect(rest.CommonPrefixes?.map(({ Prefix }) => Prefix?.slice(base.length))).toEqual(['b/'])
    expect(rest.Contents?.map(({ Key }) => Key?.slice(base.length))).toEqual(['z', 'ä', '\u{ff01}', '🎬'])
    const [first] = (await client.send(new ListObjectsV2Command({ Bucket, Prefix: base }))).Contents ?? []
    expect(first).toMatchObject({ Key: `${base}a`, Size: 1, ETag: `"${md5('a')}"` })
  })
})

describe('copies', () => {
  test('[O9] a copy has the bytes and the metadata, or new metadata', async () => {
    const [from, to] = [newKey(), `${newKey()} ü+`]
    await put(from, 'original', { ContentType: 'video/webm', Metadata: { take: '1' } })
    const CopySource = encodeURI(`${Bucket}/${from}`)
    await client.send(new CopyObjectCommand({ Bucket, Key: to, CopySource }))
    expect(await textOf(to)).toBe('original')
    expect(await head(to)).toMatchObject({ ContentType: 'video/webm', Metadata: { take: '1' } })
    const replacing = { MetadataDirective: 'REPLACE', ContentType: 'video/mp4' } as const
    await client.send(new CopyObjectCommand({ Bucket, Key: to, CopySource, ...replacing }))
    expect(await head(to)).toMatchObject({ ContentType: 'video/mp4', Metadata: {} })
    const missing = new CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${newKey()}` })
    expect(await failureOf(client.send(missing))).toBe('NoSuchKey')
  })

  test('[O9] a copy onto itself needs new metadata', async () => {
    const Key = newKey()
    await put(Key, 'again', { ContentType: 'video/mp4' })
    const self = { Bucket, Key, CopySource: `${Bucket}/${Key}` }
    expect(await failureOf(client.send(new CopyObjectCommand(self)))).toBe('InvalidRequest')
    await client.send(
      new CopyObjectCommand({ ...self, MetadataDirective: 'REPLACE', ContentType: 'video/mp4' }),
    )
    expect(await textOf(Key)).toBe('again')
  })
})

describe('uploads in parts', () => {
  const parts = [randomBytes(partBytes), randomBytes(partBytes + 7), randomBytes(100)]
  const whole = Buffer.concat(parts)
  const etag = `"${createHash('md5')
    .update(Buffer.concat(parts.map((part) => createHash('md5').update(part).digest())))
    .digest('hex')}-3"`
  let done: string

  beforeAll(async () => {
    done = newKey()
    const UploadId = await begin(done, { ContentType: 'video/mp4', Metadata: { in: 'parts' } })
    const stored = []
    for (const [index, part] of parts.entries()) stored.push(await putPart(done, UploadId, index + 1, part))
    expect((await complete(done, UploadId, stored)).ETag).toBe(etag)
  })

  test('[O10] the parts become one object', async () => {
    const object = await get(done)
    expect(Buffer.from((await object.Body?.transformToByteArray()) ?? []).equals(whole)).toBe(true)
    expect(object).toMatchObject({ ContentType: 'video/mp4', ETag: etag, Metadata: { in: 'parts' } })
    const seam = { first: partBytes - 3, last: partBytes + 2 }
    const across = await get(done, { Range: `bytes=${seam.first}-${seam.last}` })
    expect(Buffer.from((await across.Body?.transformToByteArray()) ?? [])).toEqual(
      whole.subarray(seam.first, seam.last + 1),
    )
    const tail = await get(done, { Range: 'bytes=-150' })
    expect(Buffer.from((await tail.Body?.transformToByteArray()) ?? [])).toEqual(whole.subarray(-150))
  })

  test('[O11] stored parts are listed; a part that comes again replaces the first', async () => {
    const Key = newKey()
    const UploadId = await begin(Key)
    await putPart(Key, UploadId, 7, Buffer.from('seven'))
    await putPart(Key, UploadId, 2, Buffer.from('two, at first'))
    const two = await putPart(Key, UploadId, 2, Buffer.from('two'))
    const list = await client.send(new ListPartsCommand({ Bucket, Key, UploadId, MaxParts: 1 }))
    expect(list).toMatchObject({ IsTruncated: true, Parts: [{ ...two, Size: 3 }] })
    const rest = await client.send(
      new ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker: list.NextPartNumberMarker }),
    )
    expect(rest.Parts?.map(({ PartNumber, Size }) => [PartNumber, Size])).toEqual([[7, 5]])
    await complete(Key, UploadId, [two])
    expect(await textOf(Key)).toBe('two')
    expect(await failureOf(client.send(new ListPartsCommand({ Bucket, Key, UploadId })))).toBe('NoSuchUpload')
  })

  test('[O12] wrong ETags, missing parts, a wrong order and parts that are too small change nothing', async () => {
    const Key = newKey()
    const UploadId = await begin(Key)
    const [one, two] = [
      await putPart(Key, UploadId, 1, Buffer.from('small')),
      await putPart(Key, UploadId, 2, Buffer.from('last')),
    ]
    const refusals = [
      ['InvalidPart', [{ ...one, ETag: '"00000000000000000000000000000000"' }]],
      ['InvalidPart', [one, { ...two, PartNumber: 3 }]],
      ['InvalidPartOrder', [two, one]],
      ['InvalidPartOrder', [one, one]],
      ['EntityTooSmall', [one, two]],
      ['MalformedXML', []],
    ] as const
    for (const [code, listed] of refusals)
      expect(await failureOf(complete(Key, UploadId, [...listed])), code).toMatch(
        code === 'InvalidPartOrder' ? /InvalidPartOrder|InvalidPart/ : code,
      )
    expect(await failureOf(head(Key))).toBe('NotFound')
    await complete(Key, UploadId, [two])
    expect(await textOf(Key)).toBe('last')
  })

  test('[O13] aborting removes the upload; after completing there is nothing to abort', async () => {
    const Key = newKey()
    const UploadId = await begin(Key)
    const part = await putPart(Key, UploadId, 1, Buffer.from('x'))
    const listed = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }))
    expect(listed.Uploads?.map(({ Key, UploadId }) => ({ Key, UploadId }))).toEqual([{ Key, UploadId }])
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    expect(await failureOf(complete(Key, UploadId, [part]))).toBe('NoSuchUpload')
    expect(await failureOf(putPart(Key, UploadId, 1, Buffer.from('x')))).toBe('NoSuchUpload')
    expect(
      (await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }))).Uploads ?? [],
    ).toEqual([])
    const second = await begin(Key)
    await complete(Key, second, [await putPart(Key, second, 1, Buffer.from('kept'))])
    const late = new AbortMultipartUploadCommand({ Bucket, Key, UploadId: second })
    expect(await failureOf(client.send(late))).toMatch(/NoSuchUpload|undefined/)
    expect(await textOf(Key)).toBe('kept')
  })

  test('[O14] completing twice succeeds twice and makes one object', async () => {
    const Key = newKey()
    const UploadId = await begin(Key)
    const part = await putPart(Key, UploadId, 1, Buffer.from('once'))
    const first = await complete(Key, UploadId, [part])
    expect((await complete(Key, UploadId, [part])).ETag).toBe(first.ETag)
    expect(await textOf(Key)).toBe('once')
  })

  test('[O9] an object in parts is copied, whole and in parts', async () => {
    const [whole1, byParts] = [newKey(), newKey()]
    const CopySource = `${Bucket}/${done}`
    await client.send(new CopyObjectCommand({ Bucket, Key: whole1, CopySource }))
    const UploadId = await begin(byParts)
    const ranges = ['bytes=0-5242879', `bytes=5242880-${whole.length - 1}`]
    const copied: { PartNumber: number; ETag?: string | undefined }[] = []
    for (const [index, CopySourceRange] of ranges.entries()) {
      const PartNumber = index + 1
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({
          Bucket,
          Key: byParts,
          UploadId,
          PartNumber,
          CopySource,
          CopySourceRange,
        }),
      )
      copied.push({ PartNumber, ETag: CopyPartResult?.ETag })
    }
    const beyond = { CopySource, CopySourceRange: `bytes=0-${whole.length}`, PartNumber: 3 }
    const tooFar = new UploadPartCopyCommand({ Bucket, Key: byParts, UploadId, ...beyond })
    expect(await failureOf(client.send(tooFar))).toMatch(/InvalidRange|InvalidArgument/)
    await complete(byParts, UploadId, copied)
    for (const key of [whole1, byParts]) {
      const bytes = await (await get(key)).Body?.transformToByteArray()
      expect(Buffer.from(bytes ?? []).equals(whole), key).toBe(true)
    }
    await client.send(new DeleteObjectCommand({ Bucket, Key: whole1 }))
    expect((await head(done)).ContentLength).toBe(whole.length)
  })

  test('[O15] whoever has a presigned address puts exactly that part, of exactly that size', async () => {
    const Key = newKey()
    const UploadId = await begin(Key)
    const body = Buffer.from('through an address')
    const command = new UploadPartCommand({
      Bucket,
      Key,
      UploadId,
      PartNumber: 1,
      ContentLength: body.length,
    })
    const url = await getSignedUrl(client, command, { expiresIn: 3600 })
    const longer = await fetch(url, { method: 'PUT', body: Buffer.concat([body, body]) })
    expect([longer.status, codeIn(await longer.text())]).toEqual([403, 'SignatureDoesNotMatch'])
    const other = await fetch(url.replace('partNumber=1', 'partNumber=2'), { method: 'PUT', body })
    expect([other.status, codeIn(await other.text())]).toEqual([403, 'SignatureDoesNotMatch'])
    const right = await fetch(url, {
      method: 'PUT',
      body,
      headers: { origin: 'https://console.example.org' },
    })
    expect(right.status).toBe(200)
    expect(right.headers.get('etag')).toBe(`"${md5(body)}"`)
    await complete(Key, UploadId, [{ PartNumber: 1, ETag: right.headers.get('etag') ?? '' }])
    const read = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key }), { expiresIn: 60 })
    expect(await (await fetch(read)).text()).toBe('through an address')
  })
})

test('[O5] the default settings of the SDK work too: checksums in trailers, aws-chunked', async () => {
  const plain = new S3Client(settings)
  const Key = newKey()
  await plain.send(new PutObjectCommand({ Bucket, Key, Body: 'as the SDK likes it' }))
  const stream = Readable.from([Buffer.alloc(200_000, 'a'), Buffer.alloc(100_000, 'b')])
  await plain.send(new PutObjectCommand({ Bucket, Key: `${Key}2`, Body: stream, ContentLength: 300_000 }))
  expect(await textOf(Key)).toBe('as the SDK likes it')
  expect(await textOf(`${Key}2`)).toBe('a'.repeat(200_000) + 'b'.repeat(100_000))
  const UploadId = await begin(`${Key}3`)
  const part = await plain.send(
    new UploadPartCommand({ Bucket, Key: `${Key}3`, UploadId, PartNumber: 1, Body: 'part' }),
  )
  await complete(`${Key}3`, UploadId, [{ PartNumber: 1, ETag: part.ETag }])
  expect(await textOf(`${Key}3`)).toBe('part')
})
