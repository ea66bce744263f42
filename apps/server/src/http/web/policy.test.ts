import { expect, test } from 'vitest'
import { createS3Blobs } from '../../adapters/s3/s3-blobs.ts'
import { policyOf, uploadOrigins } from './policy.ts'

const connectSrcOf = (page: string, origins: Parameters<typeof policyOf>[1]) =>
  /connect-src ([^;]+)/.exec(policyOf(page, origins))?.[1]

test('pages call their own origin and the provider, and only the console the object store', () => {
  const provider = 'https://id.example.org'
  const origins = { connectTo: [provider], uploadTo: ['https://objects.example.org'] }
  expect(connectSrcOf('index.html', origins)).toBe(`'self' ${provider}`)
  expect(connectSrcOf('console.html', origins)).toBe(`'self' ${provider} https://objects.example.org`)
  expect(connectSrcOf('console.html', { connectTo: [provider], uploadTo: [provider] })).toBe(
    `'self' ${provider}`,
  )
})

test('[TR7] studies may be framed by anybody, a try by our own pages, the console by nobody', () => {
  const ancestors = (page: string, isTry: boolean) =>
    /frame-ancestors ([^;]+)/.exec(policyOf(page, { connectTo: [], uploadTo: [] }, isTry))?.[1]
  expect(ancestors('index.html', false)).toBeUndefined()
  expect(ancestors('index.html', true)).toBe("'self'")
  expect(ancestors('console.html', false)).toBe("'none'")
  // Inside of a study, which a recruiting site may frame: the rule would ask every page around it.
  expect(ancestors('frame.html', false)).toBeUndefined()
  expect(ancestors('jspsych.html', false)).toBeUndefined()
})

test('with our own object store there is no other origin', () => {
  expect(uploadOrigins({ endpoint: undefined, bucket: 'atrium', forcePathStyle: true })).toEqual([])
})

test.each([
  ['https://objects.example.org/sub/path', 'films', true],
  ['https://objects.example.org', 'films', false],
  ['http://objects.example.org:9000', 'films', false],
  ['https://objects.example.org', 'films.example.org', false],
  ['http://objects.example.org', 'films.example.org', false],
  ['https://s3.eu-central-1.amazonaws.com', 'films', false],
  ['http://127.0.0.1:9000', 'films', false],
  ['http://localhost:9000', 'films', false],
])(
  'parts are sent to the origin that the policy allows: %s, %s, in the path: %s',
  async (endpoint, bucket, forcePathStyle) => {
    const credentials = { accessKeyId: 'atrium', secretAccessKey: 'secret' }
    const blobs = createS3Blobs({ endpoint, bucket, forcePathStyle, region: 'eu-central-1', ...credentials })
    const part = { key: 'videos/v1/original/film.mp4', uploadId: 'u1', partNumber: 1, size: 5 }
    const { origin } = new URL(await blobs.signPart(part, 'https://lab.example.org'))
    blobs.close()
    expect(uploadOrigins({ endpoint, bucket, forcePathStyle })).toEqual([origin])
  },
)
