import { once } from 'node:events'
import { connect } from 'node:net'
import { allRoutes, errorCodes, limits } from '@atrium/contract'
import { type OpenApiDocument, operationsByTag } from '@atrium/contract/reference'
import { createTemporaryFolder, startServer, waitUntil } from '@atrium/testkit'
import { Validator } from '@seriousme/openapi-schema-validator'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { objectsRoot } from '../../src/http/objects.ts'

/** The routes that a server with this configuration serves, and those that it documents. */
async function routesAndDocument(env: Record<string, string>) {
  const folder = createTemporaryFolder('openapi')
  const app = await buildApp(readConfig({ ...env, DATA_DIR: folder.path }, 'here'), pino({ level: 'silent' }))
  await app.http.ready()
  const document: OpenApiDocument = (await app.http.inject('/api/openapi.json')).json()
  const page = await app.http.inject('/api/docs')
  const served = routesIn(app.http.printRoutes())
  await app.close()
  folder.remove()
  return { document, page, served }
}

/** Fastify prints its routes as a tree; each line extends the path of its parent. */
function routesIn(tree: string): string[] {
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? []
    if (part === '') return []
    const depth = indent.length / 4
    const path = (parents[depth - 1] ?? '') + part
    parents[depth] = path
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${path}`)
  })
}

/** Neither is part of the API: web-pages.test.ts and the tests of media test pages and files, the S3 suite objects. */
const isPage = (route: string): boolean =>
  /^(?:GET|HEAD) \/(?:$|api\/docs\/|assets\/|console|examples\/|experiment|frame\.html|icon\.svg|join\/|jspsych\.html|preview$|sdk\/|signed-in|try\/)/.test(
    route,
  ) || /^(?:GET|HEAD|OPTIONS) \/media\//.test(route)
const isObject = (route: string): boolean => route.endsWith(` ${objectsRoot}/*`)

const operationsOf = ({ paths }: OpenApiDocument): string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )

test.each<[string, Record<string, string>, (path: string) => boolean]>([
  ['by default', {}, () => true],
  ['without v4 [R3]', { USE_V4_PARTICIPANT_API: 'false' }, (path) => !path.includes('/v4/')],
  [
    'with an identity provider [R6]',
    { OIDC_ISSUER: 'https://id.example.org', OIDC_AUDIENCE: 'atrium' },
    (path) => !path.startsWith('/dev/'),
  ],
])('the served routes are the documented ones, %s', async (_name, env, isExpected) => {
  const { document, served: all } = await routesAndDocument(env)
  const api = all.filter((route) => !isPage(route) && !isObject(route))
  const served = api.filter((route) => !route.startsWith('HEAD '))
  // Every GET has a HEAD.
  const read = served.filter((route) => route.startsWith('GET ')).map((route) => route.replace('GET', 'HEAD'))
  expect(api.filter((route) => route.startsWith('HEAD ')).toSorted()).toEqual(read.toSorted())
  expect(served.toSorted()).toEqual(operationsOf(document).toSorted())
  const expected = allRoutes
    .filter(({ path }) => isExpected(path))
    .map(({ method, path }) => `${method} ${path}`)
  expect(served.toSorted()).toEqual(expected.toSorted())
})

test('the document is valid OpenAPI 3.1, and its page is HTML', async () => {
  const { document, page } = await routesAndDocument({})
  expect(document.openapi).toMatch(/^3\.1\./)
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
  expect(page.headers['content-type']).toMatch(/^text\/html/)
  expect(page.body).toMatch(/^<!doctype html>/i)
  const operations = operationsByTag(document).flatMap(({ operations }) => operations)
  expect(operations).toHaveLength(allRoutes.length)
})

test('the page loads only our own files, in no frame, and shows the error catalogue and the limits', async () => {
  const { page } = await routesAndDocument({})
  expect(String(page.headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  expect(page.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//i)
  expect(page.body).not.toMatch(/ (?:on\w+|style)="/i)
  for (const code of errorCodes) expect(page.body).toContain(`| \`${code}\` |`)
  for (const limit of Object.values(limits.requestsPerWindow))
    expect(page.body).toContain(`| ${limit} requests in`)
})

test('the document and its page are not sent again to clients that have cached them', async () => {
  const server = await startServer()
  for (const path of [
    '/api/openapi.json',
    '/api/asyncapi.json',
    '/api/docs',
    '/api/docs/swagger-ui.css',
    '/api/docs/swagger-ui-bundle.js',
  ]) {
    const first = await fetch(server.http + path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    expect((await first.text()).length).toBeGreaterThan(1_000)
    const ask = (tags: string) => fetch(server.http + path, { headers: { 'if-none-match': tags } })
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(tags)
      expect([again.status, again.headers.get('etag'), await again.text()], tags).toEqual([304, etag, ''])
    }
    for (const tags of ['"other"', etag.slice(1, -1), '']) expect((await ask(tags)).status, tags).toBe(200)
  }
  await server.stop()
})

test('SIGTERM ends an instance with 0, even with open connections and requests in progress', async () => {
  const server = await startServer()
  // Kept alive by the client; idle connections must not delay the stop.
  await Promise.all(
    Array.from({ length: 20 }, async () => (await fetch(`${server.http}/health/live`)).text()),
  )
  const { hostname, port } = new URL(server.http)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  const body = '{}'
  const headers = ['host: localhost', 'content-type: application/json', `content-length: ${body.length}`]
  socket.write(
    `POST /api/participant/guest HTTP/1.1\r\n${headers.join('\r\n')}\r\nexpect: 100-continue\r\n\r\n`,
  )
  await waitUntil(() => received.startsWith('HTTP/1.1 100 ') || 'the request is not in progress yet')
  const stopped = server.stop()
  await waitUntil(async () => {
    const isClosed = await fetch(`${server.http}/health/live`).then(
      () => false,
      () => true,
    )
    return isClosed || 'it still accepts connections'
  })
  const ended = once(socket, 'close')
  socket.write(body)
  await ended
  // It is answered in full (the body names no experiment), and its connection does not hold up the stop.
  expect(received).toMatch(
    /^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 400 [\s\S]*\r\nconnection: close\r\n[\s\S]*"code":"VALIDATION_FAILED"[\s\S]*\}$/i,
  )
  expect(await stopped).toBe(0) // A server that gives up waiting exits with 1.
})
