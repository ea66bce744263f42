import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRequest } from '../http/s3-request.ts'
import { presignPart } from './presign-part.ts'
import { verifyRequest } from './verify-request.ts'

// The SDK signs, we verify; then something is changed, and we must notice.
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: randomBytes(20).toString('base64') }
const Bucket = 'films'
const prefix = '/objects'
const client = new S3Client({
  endpoint: `http://store.example.org:9000${prefix}`,
  region: 'eu-central-1',
  credentials,
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
})

interface Wire {
  method: string
  url: string
  headers: Record<string, string>
}

/** What the SDK would send, caught before it does. */
async function wireOf(command: { Key: string; Metadata: Record<string, string> }): Promise<Wire> {
  let wire: Wire | undefined
  const put = new PutObjectCommand({ Bucket, Body: 'body', ...command })
  put.middlewareStack.add(
    () => async (args) => {
      const { method, path, query, headers } = args.request as {
        method: string
        path: string
        query: Record<string, string>
        headers: Record<string, string>
      }
      const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      wire = { method, url: search.length > 0 ? `${path}?${search.join('&')}` : path, headers }
      return { response: {}, output: { $metadata: {} } } as never
    },
    { step: 'finalizeRequest', priority: 'low', name: 'catch', override: true },
  )
  await client.send(put)
  if (!wire) throw new Error('the SDK sent nothing')
  return wire
}

const verify = ({ method, url, headers }: Wire, now = Date.now()) =>
  verifyRequest(
    readRequest(
      {
        method,
        url,
        headersDistinct: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]),
        ),
      } as unknown as IncomingMessage,
      prefix,
    ),
    [credentials],
    now,
  )

const key = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text) && !text.startsWith('/'))
const value = fc.string({ unit: fc.constantFrom('a', 'B', '7', ' ', '-', '='), maxLength: 12 })
const metadata = fc.dictionary(
  fc.constantFrom('one', 'two-2', 'three'),
  value.filter((text) => text.trim() !== ''),
)

test('[O20] what the SDK signs in headers is accepted, and no longer if anything signed is changed', async () => {
  await fc.assert(
    fc.asyncProperty(key, metadata, async (Key, Metadata) => {
      const wire = await wireOf({ Key, Metadata })
      expect(verify(wire)).toMatchObject({ kind: 'hashed' })
      const changes: Partial<Wire>[] = [
        { method: 'DELETE' },
        { url: `${wire.url}x` },
        { url: `${wire.url}${wire.url.includes('?') ? '&' : '?'}more=1` },
        { headers: { ...wire.headers, host: 'other.example.org' } },
        { headers: { ...wire.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } },
        { headers: { ...wire.headers, 'x-amz-meta-added': 'x' } },
      ]
      for (const change of changes) expect(() => verify({ ...wire, ...change })).toThrow()
      expect(() => verify(wire, Date.now() + 16 * 60_000)).toThrow('differs too much')
    }),
    { numRuns: 40 },
  )
})

test('[O20] what the SDK presigns is accepted until it expires, and never with anything changed', async () => {
  const part = fc.record({
    partNumber: fc.integer({ min: 1, max: 10_000 }),
    size: fc.integer({ min: 0, max: 1e9 }),
  })
  await fc.assert(
    fc.asyncProperty(key, part, async (Key, { partNumber, size }) => {
      const command = new UploadPartCommand({
        Bucket,
        Key,
        UploadId: 'u',
        PartNumber: partNumber,
        ContentLength: size,
      })
      const url = new URL(await getSignedUrl(client, command, { expiresIn: 100 }))
      const wire = {
        method: 'PUT',
        url: url.pathname + url.search,
        headers: { host: url.host, 'content-length': String(size) },
      }
      expect(verify(wire)).toEqual({ kind: 'unsigned' })
      expect(() => verify(wire, Date.now() + 101_000)).toThrow('expired')
      const others = [
        { ...wire, headers: { ...wire.headers, 'content-length': String(size + 1) } },
        { ...wire, method: 'GET' },
        { ...wire, url: wire.url.replace(`partNumber=${partNumber}`, `partNumber=${partNumber + 1}`) },
        { ...wire, url: wire.url.replace('X-Amz-Expires=100', 'X-Amz-Expires=101') },
      ]
      for (const other of others) expect(() => verify(other)).toThrow('does not match')
    }),
    { numRuns: 40 },
  )
})

test('[O20] addresses of parts are those that the SDK would presign', async () => {
  await fc.assert(
    fc.asyncProperty(key, fc.integer({ min: 1, max: 1e9 }), async (Key, size) => {
      const command = new UploadPartCommand({
        Bucket,
        Key,
        UploadId: 'u',
        PartNumber: 7,
        ContentLength: size,
      })
      const signingDate = new Date()
      const theirs = new URL(await getSignedUrl(client, command, { expiresIn: 100, signingDate }))
      const root = `http://store.example.org:9000${prefix}`
      const part = {
        root,
        bucket: Bucket,
        key: Key,
        uploadId: 'u',
        partNumber: 7,
        size,
        expiresInSeconds: 100,
      }
      const ours = new URL(presignPart(part, credentials, signingDate.getTime()))
      const scope = (text: string) => text.replace('/eu-central-1/', '/us-east-1/')
      const [expected, actual] = [theirs, ours].map(({ searchParams }) =>
        [...searchParams]
          .filter(([name]) => name !== 'X-Amz-Signature')
          .map(([name, value]) => [name, scope(value)])
          .toSorted(),
      )
      expect(actual).toEqual(expected)
      expect([ours.origin, ours.pathname]).toEqual([theirs.origin, theirs.pathname])
      const headers = { host: ours.host, 'content-length': String(size) }
      expect(verify({ method: 'PUT', url: ours.pathname + ours.search, headers })).toEqual({
        kind: 'unsigned',
      })
    }),
    { numRuns: 40 },
  )
})

test('[O20] parameters with any characters are signed as the SDK does', async () => {
  await fc.assert(
    fc.asyncProperty(key, key, async (Prefix, StartAfter) => {
      const list = new ListObjectsV2Command({ Bucket, Prefix, StartAfter, Delimiter: '/' })
      const read = new GetObjectCommand({
        Bucket,
        Key: Prefix,
        ResponseContentDisposition: `attachment; filename="${StartAfter}"`,
      })
      for (const signed of [await getSignedUrl(client, list), await getSignedUrl(client, read)]) {
        const url = new URL(signed)
        expect(
          verify({ method: 'GET', url: url.pathname + url.search, headers: { host: url.host } }),
        ).toEqual({
          kind: 'unsigned',
        })
      }
    }),
    { numRuns: 30 },
  )
})
