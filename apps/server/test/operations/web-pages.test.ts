import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, type Server, startServer, startWeb } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const html = { accept: 'text/html' }

/** Large enough to be worth compressing. */
const largeAsset = `export const text = '${'again and '.repeat(500)}'`

/** A minimal build: these tests are about how files are served, not about their content. */
function writeBuild(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  for (const page of ['index', 'console', 'signed-in', 'frame', 'jspsych'])
    writeFileSync(join(folder, `${page}.html`), `<!doctype html><title>${page}</title>`)
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'export {}')
  writeFileSync(join(folder, 'assets', 'app-1a2b.js.br'), 'compressed')
  writeFileSync(join(folder, 'assets', 'large-3c4d.js'), largeAsset)
  mkdirSync(join(folder, 'examples'), { recursive: true })
  writeFileSync(join(folder, 'examples', 'film.mp4'), 'a short video')
  mkdirSync(join(folder, 'sdk'), { recursive: true })
  for (const name of ['atrium.js', 'atrium.d.ts', 'LICENSES.txt', 'other.js'])
    writeFileSync(join(folder, 'sdk', name), `export {} // ${name}`)
  writeFileSync(join(folder, '.secret'), 'not for anyone')
}

describe.each(['server', 'web app alone'])('the pages of the %s', (kind) => {
  const folder = createTemporaryFolder('web')
  let program: Server
  beforeAll(async () => {
    writeBuild(folder.path)
    const env = { WEB_DIR: folder.path }
    program = kind === 'server' ? await startServer({ env }) : await startWeb(env)
  })
  afterAll(async () => {
    expect(await program.stop()).toBe(0)
    folder.remove()
  })
  const get = (path: string, init: RequestInit = {}) =>
    fetch(program.http + path, { redirect: 'manual', ...init })

  test.each([
    ['/', 'index'],
    ['/join/exp_1?PROLIFIC_PID=a', 'index'],
    ['/experiment?roomId=room_1&pod=pod-0', 'index'],
    ['/try/exp_1?role=buyer&seat=1', 'index'],
    ['/console', 'console'],
    ['/console/experiments/exp_1/rooms', 'console'],
    ['/signed-in?code=1', 'signed-in'],
    ['/frame.html', 'frame'],
    ['/jspsych.html', 'jspsych'],
  ])('%s is the page %s', async (path, title) => {
    const answer = await get(path)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(`<title>${title}</title>`)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    // A page that is cached too long would request assets that no longer exist.
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect((await get(path, { method: 'HEAD' })).status).toBe(200)
  })

  test('[TR7] only our own pages may frame a try', async () => {
    const policyAt = async (path: string) => (await get(path)).headers.get('content-security-policy') ?? ''
    expect(await policyAt('/try/exp_1')).toContain("frame-ancestors 'self'")
    expect(await policyAt('/join/exp_1')).not.toContain('frame-ancestors')
  })

  test.each([
    ['atrium.js', 'text/javascript; charset=utf-8'],
    ['atrium.d.ts', 'text/plain; charset=utf-8'],
    ['LICENSES.txt', 'text/plain; charset=utf-8'],
  ])('pages of any site load the SDK, and ask again whether it has changed: %s', async (name, type) => {
    const answer = await get(`/sdk/${name}`, { headers: { origin: 'https://lab.example.org' } })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe(`export {} // ${name}`)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': type,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, no-cache',
    })
    const etag = answer.headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    // Without it, fetch adds no-cache, which asks for the file again.
    const asked = { 'if-none-match': etag, 'cache-control': 'max-age=0' }
    expect((await get(`/sdk/${name}`, { headers: asked })).status).toBe(304)
    expect((await get(`/sdk/${name}`, { method: 'HEAD' })).status).toBe(200)
  })

  test.each(['/sdk/', '/sdk/other.js', '/sdk/%2e%2e%2f.secret'])(
    'nothing else is served beside the SDK: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )

  test('code is loaded only from here; the researcher’s frame has its own origin; the console cannot be framed', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy') ?? ''
    expect(await policyOf('/')).toMatch(/default-src 'self'.*connect-src 'self'$/)
    expect(await policyOf('/')).not.toContain('frame-ancestors')
    expect(await policyOf('/console')).toContain("frame-ancestors 'none'")
    expect(await policyOf('/frame.html')).toMatch(/^sandbox allow-scripts allow-forms;/)
    expect(await policyOf('/frame.html')).not.toContain('allow-same-origin')
    const timelines = await policyOf('/jspsych.html')
    expect(timelines).toMatch(/^sandbox allow-scripts allow-forms; default-src 'none'; script-src 'self';/)
    expect(timelines).toMatch(/form-action 'none'; base-uri 'none'$/)
    expect(timelines).not.toMatch(/allow-same-origin|connect-src|script-src[^;]*unsafe/)
  })

  test('assets are immutable and sent precompressed', async () => {
    const plain = await get('/assets/app-1a2b.js', { headers: { 'accept-encoding': 'identity' } })
    expect(await plain.text()).toBe('export {}')
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('x-content-type-options')).toBe('nosniff')
    // A sandboxed frame of ours has another origin.
    expect(plain.headers.get('access-control-allow-origin')).toBe('*')
    const small = await get('/assets/app-1a2b.js', {
      method: 'HEAD',
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect(small.headers.get('content-encoding')).toBe('br')
    expect(small.headers.get('content-type')).toMatch(/javascript/)
  })

  test('assets that were not packaged are compressed when they are asked for', async () => {
    const ask = (headers: Record<string, string>, method = 'GET') =>
      get('/assets/large-3c4d.js', { method, headers })
    const tags = new Set<string | null>()
    for (const encoding of ['br', 'gzip']) {
      const whole = await ask({ 'accept-encoding': encoding })
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-encoding': encoding,
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        vary: 'accept-encoding',
      })
      expect(await whole.text()).toBe(largeAsset)
      expect(Number(whole.headers.get('content-length'))).toBeLessThan(largeAsset.length / 2)
      const head = await ask({ 'accept-encoding': encoding }, 'HEAD')
      for (const name of ['content-length', 'content-encoding', 'etag'])
        expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)])
      const etag = whole.headers.get('etag') ?? ''
      tags.add(etag)
      const asked = { 'accept-encoding': encoding, 'if-none-match': etag, 'cache-control': 'max-age=0' }
      expect((await ask(asked)).status).toBe(304)
    }
    const plain = await ask({ 'accept-encoding': 'identity' })
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, largeAsset])
    expect(plain.headers.get('vary')).toBe('accept-encoding')
    // Each form has a tag of its own.
    expect(tags.add(plain.headers.get('etag')).size).toBe(3)
    const part = await ask({ 'accept-encoding': 'br', range: 'bytes=0-5' })
    expect([part.status, part.headers.get('content-encoding'), await part.text()]).toEqual([
      206,
      null,
      'export',
    ])
  })

  test('the video of an example can be read in ranges', async () => {
    const whole = await get('/examples/film.mp4')
    expect(whole.headers.get('content-type')).toBe('video/mp4')
    expect(await whole.text()).toBe('a short video')
    const part = await get('/examples/film.mp4', { headers: { range: 'bytes=2-6' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 2-6/13')
    expect(await part.text()).toBe('short')
  })

  test.each([
    '/examples/..%2f.secret',
    '/assets/..%2f.secret',
    '/assets/%2e%2e%2f.secret',
    '/.secret',
    '/assets/.secret',
    '/assets/nothing.js',
    '/assets/large-3c4d.js.br',
    '/index.html.br',
    '/assets/app-1a2b.js%00.html',
  ])('%s is not found', async (path) => {
    expect((await get(path)).status).toBe(404)
    expect(await (await get(path)).text()).not.toContain('not for anyone')
  })

  test('a mistyped address shows people a page and gives programs an error', async () => {
    const page = await get('/jion/exp_1', { headers: html })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const forPrograms = await get('/jion/exp_1')
    expect([forPrograms.status, forPrograms.headers.get('content-type')?.includes('html')]).toEqual([
      404,
      false,
    ])
    const api = await get('/api/nothing', { headers: html })
    expect([api.status, api.headers.get('content-type')?.includes('html')]).toEqual([404, false])
  })

  test('health and metrics are served', async () => {
    for (const path of ['/health/live', '/health/ready']) expect((await get(path)).status).toBe(200)
    const scraped = await (await fetch(`${program.metrics}/metrics`)).text()
    expect(scraped).toMatch(/http_requests_total\{status="200"\} \d/)
    expect(scraped).toContain('route="/join/:experimentId"')
  })
})

test('without a router, the address of a room redirects to its page, as in rule 4 of the router', async () => {
  const server = await startServer({ env: { POD_NAME: 'only' } })
  const ask = (path: string) => fetch(server.http + path, { headers: html, redirect: 'manual' })
  const room = await ask('/experiment/room_a-1')
  expect([room.status, room.headers.get('location')]).toEqual([302, '/experiment?roomId=room_a-1&pod=only'])
  expect((await ask('/experiment/elsewhere')).status).toBe(404)
  expect((await ask('/experiment/room_%2f%2fevil.example')).status).toBe(404)
  await server.stop()
})

test('[R2] a folder without the web app makes the start fail with one sentence', async () => {
  const env = { WEB_DIR: '/nowhere' }
  const refusal = { exitCode: 1, stderr: expect.stringMatching(/^WEB_DIR [^\n]+\n$/) }
  await expect(startServer({ env })).rejects.toMatchObject(refusal)
  await expect(startWeb(env)).rejects.toMatchObject(refusal)
})

test('the pages are told how people sign in, and may connect to the issuer; the console also to the object store', async () => {
  const server = await startServer({
    env: {
      OIDC_ISSUER: 'https://id.example.org/realm',
      OIDC_AUDIENCE: 'atrium-web',
      S3_ENDPOINT: 'https://objects.example.org/s3',
      S3_ACCESS_KEY_ID: 'atrium',
      S3_SECRET_ACCESS_KEY: 'secret',
    },
  })
  expect(await (await fetch(`${server.http}/api/identity`)).json()).toEqual({
    kind: 'provider',
    issuer: 'https://id.example.org/realm',
    clientId: 'atrium-web',
  })
  const policyOf = async (path: string) =>
    (await fetch(server.http + path)).headers.get('content-security-policy')
  expect(await policyOf('/')).toMatch(/connect-src 'self' https:\/\/id\.example\.org(;|$)/)
  expect(await policyOf('/console')).toContain(
    "connect-src 'self' https://id.example.org https://objects.example.org;",
  )
  await server.stop()
})
