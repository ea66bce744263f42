import { DamagedFile, type Facts, factsAt, type ObjectFacts } from '../disk/sealed-file.ts'
import { walkKeys } from '../disk/walk-keys.ts'
import { S3Error } from '../http/s3-error.ts'
import { parameter } from '../http/s3-request.ts'
import { optional, type XmlElement, xmlDocument } from '../http/xml-text.ts'
import { countOf, keyWriter } from './list-uploads.ts'
import { type Operation, quoted, xmlReply } from './store.ts'

/** Greater than every byte of UTF-8, so that it comes after all keys with a prefix. */
const afterAll = Buffer.from([0xff])
/** Files that are read at the same time for one list. */
const readsAtOnce = 16

interface FoundObject {
  kind: 'object'
  key: string
  path: string
}
type Item = FoundObject | { kind: 'prefix'; prefix: string }

/** Where the walk goes on after an item. */
const positionAfter = (item: Item): Buffer =>
  item.kind === 'object' ? Buffer.from(item.key) : Buffer.concat([Buffer.from(item.prefix), afterAll])

/** Up to `count` objects and common prefixes after `after`, in order. */
async function collect(
  root: string,
  { prefix, delimiter }: { prefix: string; delimiter: string },
  after: Buffer,
  count: number,
): Promise<Item[]> {
  const items: Item[] = []
  let position = after
  let isCutShort = true
  while (isCutShort && items.length < count) {
    isCutShort = false
    for await (const { key, path } of walkKeys(root, prefix, position)) {
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
      const item: Item =
        end < 0
          ? { kind: 'object', key, path }
          : { kind: 'prefix', prefix: key.slice(0, end + delimiter.length) }
      items.push(item)
      position = positionAfter(item)
      // A new walk begins after the common prefix, so that what is below it is skipped.
      isCutShort = item.kind === 'prefix'
      if (isCutShort || items.length === count) break
    }
  }
  return items
}

/** ListObjectsV2. */
export const listObjects: Operation = async (store, { request }) => {
  const prefix = parameter(request, 'prefix') ?? ''
  const delimiter = parameter(request, 'delimiter') ?? ''
  const startAfter = parameter(request, 'start-after')
  const token = parameter(request, 'continuation-token')
  const count = countOf(request, 'max-keys')
  const write = keyWriter(request)
  const after = token === undefined ? Buffer.from(startAfter ?? '') : readToken(token)
  const items =
    count === 0 ? [] : await collect(store.layout.objects, { prefix, delimiter }, after, count + 1)
  const page = items.slice(0, count)
  const last = page.at(-1)
  const isTruncated = items.length > count
  const contents = await describe(
    page.filter((item) => item.kind === 'object'),
    write,
  )
  const prefixes = page.flatMap((item) => (item.kind === 'prefix' ? [item.prefix] : []))
  return xmlReply(
    xmlDocument('ListBucketResult', [
      ['Name', store.bucket],
      ['Prefix', write(prefix)],
      ...optional('Delimiter', delimiter === '' ? undefined : write(delimiter)),
      ...optional('StartAfter', startAfter === undefined ? undefined : write(startAfter)),
      ...optional('ContinuationToken', token),
      ...optional(
        'NextContinuationToken',
        isTruncated && last ? positionAfter(last).toString('base64url') : undefined,
      ),
      ['KeyCount', contents.length + prefixes.length],
      ['MaxKeys', count],
      ['IsTruncated', isTruncated],
      ...contents,
      ...prefixes.map((text): XmlElement => ['CommonPrefixes', [['Prefix', write(text)]]]),
    ]),
  )
}

function readToken(token: string): Buffer {
  if (!/^[\w-]{1,1400}$/.test(token))
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect.')
  return Buffer.from(token, 'base64url')
}

/** Objects that have been deleted since the walk are left out. */
async function describe(found: FoundObject[], write: (key: string) => string): Promise<XmlElement[]> {
  const elements: XmlElement[] = []
  for (let at = 0; at < found.length; at += readsAtOnce) {
    const described = await Promise.all(
      found
        .slice(at, at + readsAtOnce)
        .map(async ({ key, path }) => ({ key, facts: await listedFacts(path) })),
    )
    for (const { key, facts } of described)
      if (facts)
        elements.push([
          'Contents',
          [
            ['Key', write(key)],
            ['LastModified', new Date(facts.modifiedAt).toISOString()],
            ['ETag', quoted(facts.etag)],
            ['Size', facts.size],
            ['StorageClass', 'STANDARD'],
          ],
        ])
  }
  return elements
}

/** A damaged object is listed, or those beside it could not be found and deleted any more. */
async function listedFacts(path: string): Promise<Facts | undefined> {
  try {
    return await factsAt<ObjectFacts>(path)
  } catch (error) {
    if (error instanceof DamagedFile) return { size: 0, etag: '', modifiedAt: 0 }
    throw error
  }
}
