import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cruise } from './test/cruise.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const modules = 'apps/server/src/modules'
const rooms = `${modules}/rooms`
const sql = 'apps/server/src/adapters/sql'

const allowed: [string, string][] = [
  [`${rooms}/a1.ts`, `import { join } from '../sessions/index.ts'`],
  [`${rooms}/a2.ts`, `import { AppError } from '../../kernel/app-error.ts'`],
  [`${rooms}/a3.ts`, `import { Type } from 'typebox/type'`],
  [`${rooms}/a4.routes.ts`, `import type { FastifyInstance } from 'fastify'`],
  [`${rooms}/a5.routes.ts`, `import { guard } from '../../http/guard.ts'`],
  [`${modules}/identity/a6.ts`, `import { jwtVerify } from 'jose'`],
  [`${sql}/a7.ts`, `import type { Room } from '../../modules/rooms/index.ts'`],
  ['apps/server/src/adapters/s3/a8.ts', `import { S3 } from '@aws-sdk/client-s3'`],
  ['apps/server/src/entry/a9.ts', `import { createApp } from '../compose/surface.ts'`],
  ['apps/server/src/http/a10.test.ts', `import { startServer } from '@atrium/testkit'`],
  [
    'apps/web/src/console/a11.tsx',
    `import { useState } from 'react'\nexport const Page = () => <p>import</p>`,
  ],
  ['packages/contract/src/a12.ts', `import { Type } from 'typebox'`],
  ['bench/src/a13.ts', `import { createApp } from '../../apps/server/src/compose/surface.ts'`],
  ['apps/server/src/ports/a14.ts', `import type { Readable } from 'node:stream'`],
]

const refused: [string, string][] = [
  [`${rooms}/r1.ts`, `import { join } from '../sessions/sessions.ts'`],
  [`${rooms}/r2.ts`, `import type { FastifyInstance } from 'fastify'`],
  [`${rooms}/r3.ts`, `import { Kysely } from 'kysely'`],
  [`${rooms}/r4.ts`, `import { readFile } from 'node:fs/promises'`],
  [`${rooms}/r5.ts`, `export { guard } from '../../http/guard.ts'`],
  [`${rooms}/r6.ts`, `const { jwtVerify } = await import('jose')`],
  [`${rooms}/r7.routes.ts`, `import pg from 'pg'`],
  [`${sql}/r8.ts`, `import { rules } from '../../modules/rooms/index.ts'`],
  [`${sql}/r9.ts`, `import { open } from '../redis/open.ts'`],
  ['apps/server/src/kernel/r10.ts', `import { nanoid } from 'nanoid'`],
  ['apps/server/src/ports/r11.ts', `import { Redis } from 'ioredis'`],
  ['apps/server/src/ports/r12.ts', `import { Readable } from 'node:stream'`],
  ['apps/server/src/app.ts', `import { startServer } from '@atrium/testkit'`],
  ['apps/web/src/participant/r13.tsx', `import { Button } from '../console/button.tsx'`],
  ['packages/contract/src/r14.ts', `import 'node:crypto'`],
  ['packages/testkit/src/r15.ts', `import { createApp } from '../../../apps/server/src/compose/surface.ts'`],
]

const uncovered = [
  'apps/server/src/utils/x.ts',
  'apps/server/src/adapters/x.ts',
  'packages/common/src/x.ts',
  'x.ts',
]

/** The targets of the imports above. */
const targets = [
  'packages/expressions/src/index.ts',
  'packages/definition-checks/src/index.ts',
  `${modules}/sessions/index.ts`,
  `${modules}/sessions/sessions.ts`,
  `${rooms}/index.ts`,
  'apps/server/src/adapters/redis/open.ts',
  'apps/server/src/http/guard.ts',
  'apps/server/src/kernel/app-error.ts',
  'apps/server/src/compose/surface.ts',
  'apps/web/src/console/button.tsx',
  ...['fastify', 'jose', 'kysely', 'pg', 'nanoid', 'ioredis', 'react', '@aws-sdk/client-s3'].map(
    (name) => `node_modules/${name}/index.js`,
  ),
  'node_modules/typebox/index.js',
  'node_modules/typebox/type.js',
  'packages/testkit/src/index.ts',
]

describe('the boundaries', () => {
  const repository = createTemporaryFolder('boundaries')
  let violations: { from: string; to: string; rule: string }[]

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(repository.path, path)), { recursive: true })
    writeFileSync(join(repository.path, path), `${text}\n`)
  }

  beforeAll(async () => {
    for (const path of targets) write(path, 'export {}')
    for (const [path, source] of [...allowed, ...refused]) write(path, source)
    for (const path of uncovered) write(path, '')
    write('packages/testkit/package.json', '{ "name": "@atrium/testkit", "exports": "./src/index.ts" }')
    mkdirSync(join(repository.path, 'node_modules/@atrium'))
    symlinkSync('../../packages/testkit', join(repository.path, 'node_modules/@atrium/testkit'))
    write('scripts/chicken.ts', `import './egg.ts'`)
    write('scripts/egg.ts', `import type {} from './chicken.ts'`)
    const { summary } = await cruise(repository.path, '.')
    violations = summary.violations
      .filter(({ rule }) => !rule.name.startsWith('layer-'))
      .map(({ from, to, rule }) => ({ from, to, rule: rule.name }))
  })
  afterAll(() => repository.remove())

  test.each(allowed)('%s: %s is allowed', (file) => {
    expect(violations.filter(({ from }) => from === file)).toEqual([])
  })

  test.each(refused)('%s: %s is refused', (file) => {
    expect(violations.filter(({ from }) => from === file)).toHaveLength(1)
  })

  test('a violation names the file, the import and the boundary', async () => {
    expect(violations).toContainEqual({
      from: `${rooms}/r3.ts`,
      to: 'node_modules/kysely/index.js',
      rule: 'module',
    })
  })

  test.each(uncovered)('no boundary covers %s', (file) => {
    expect(violations.filter(({ from }) => from === file).map(({ rule }) => rule)).toEqual([
      'uncovered-orphan',
    ])
  })

  test('files that import each other are a cycle, even if they import only types', () => {
    expect(violations.filter(({ rule }) => rule === 'no-circle').map(({ from }) => from)).toEqual(
      expect.arrayContaining([expect.stringMatching(/chicken|egg/)]),
    )
  })
})

test('Biome refuses import() with a computed name', () => {
  const folder = createTemporaryFolder('computed-imports')
  const plugin = join(root, 'scripts/no-computed-import.grit')
  writeFileSync(join(folder.path, 'biome.json'), JSON.stringify({ plugins: [plugin] }))
  writeFileSync(
    join(folder.path, 'x.ts'),
    ["import('node:fs')", 'import(name)', "import('./' + name)", 'import(`./a.ts`)'].join('\n'),
  )
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const { stderr } = spawnSync(process.execPath, [biome, 'lint', '--colors=off', 'x.ts'], {
    cwd: folder.path,
    encoding: 'utf8',
  })
  const places = [...stderr.matchAll(/^x\.ts:(\d+):\d+ plugin/gm)].map(([, line]) => Number(line))
  expect(places.toSorted()).toEqual([2, 3, 4])
  folder.remove()
})
