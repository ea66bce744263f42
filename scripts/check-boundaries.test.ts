import { describe, expect, test } from 'vitest'
import { findViolations } from './check-boundaries.ts'
import { findImports } from './imports.ts'

const modules = 'apps/server/src/modules'

describe('allowed', () => {
  test.each([
    [`${modules}/rooms/rooms.ts`, `import { join } from '../sessions/index.ts'`],
    [`${modules}/rooms/rooms.ts`, `import { AppError } from '../../kernel/app-error.ts'`],
    [`${modules}/rooms/rooms.ts`, `import { Type } from 'typebox/type'`],
    [`${modules}/rooms/rooms.routes.ts`, `import type { FastifyInstance } from 'fastify'`],
    [`${modules}/rooms/rooms.routes.ts`, `import { guard } from '../../http/guard.ts'`],
    [`${modules}/identity/tokens.ts`, `import { jwtVerify } from 'jose'`],
    ['apps/server/src/adapters/sql/rooms.ts', `import type { Room } from '../../modules/rooms/index.ts'`],
    ['apps/server/src/adapters/s3/put.ts', `import { S3 } from '@aws-sdk/client-s3'`],
    ['apps/server/src/entry/serve.ts', `import { createApp } from '../app.ts'`],
    ['apps/server/src/http/app.test.ts', `import { startServer } from '@atrium/testkit'`],
    ['packages/contract/src/errors.ts', `import { Type } from 'typebox'`],
    ['bench/src/run.ts', `import { createApp } from '../../apps/server/src/app.ts'`],
  ])('%s: %s', (file, source) => {
    expect(findViolations(file, source)).toEqual([])
  })
})

describe('refused', () => {
  test.each([
    [`${modules}/rooms/rooms.ts`, `import { join } from '../sessions/sessions.ts'`],
    [`${modules}/rooms/rooms.ts`, `import type { FastifyInstance } from 'fastify'`],
    [`${modules}/rooms/rooms.ts`, `import { Kysely } from 'kysely'`],
    [`${modules}/rooms/rooms.ts`, `import { readFile } from 'node:fs/promises'`],
    [`${modules}/rooms/rooms.ts`, `export { guard } from '../../http/guard.ts'`],
    [`${modules}/rooms/rooms.ts`, `const { jwtVerify } = await import('jose')`],
    [`${modules}/rooms/rooms.routes.ts`, `import pg from 'pg'`],
    ['apps/server/src/adapters/sql/rooms.ts', `import { rules } from '../../modules/rooms/index.ts'`],
    ['apps/server/src/adapters/sql/rooms.ts', `import { open } from '../redis/open.ts'`],
    ['apps/server/src/kernel/ids.ts', `import { nanoid } from 'nanoid'`],
    ['apps/server/src/ports/bus.ts', `import { Redis } from 'ioredis'`],
    ['apps/server/src/app.ts', `import { startServer } from '@atrium/testkit'`],
    ['apps/server/src/app.ts', `const adapter = await import(name)`],
    ['packages/contract/src/errors.ts', `import 'node:crypto'`],
    ['packages/testkit/src/wait.ts', `import { createApp } from '../../../apps/server/src/app.ts'`],
  ])('%s: %s', (file, source) => {
    expect(findViolations(file, source)).toHaveLength(1)
  })

  test('a violation names the file, the line, the import and the rule', () => {
    const source = `import { now } from '../../kernel/clock.ts'\n\nimport pg from 'pg'\n`
    expect(findViolations(`${modules}/rooms/rooms.ts`, source)).toEqual([
      expect.stringMatching(
        /^apps\/server\/src\/modules\/rooms\/rooms\.ts:3: imports pg; a module uses its own/,
      ),
    ])
  })

  test.each([
    'apps/server/src/utils/x.ts',
    'apps/server/src/adapters/x.ts',
    'packages/common/src/x.ts',
    'x.ts',
  ])('no rule covers %s', (file) => {
    expect(findViolations(file, '')).toEqual([expect.stringContaining(`no rule covers ${file}`)])
  })
})

test('imports are found however they are written, and not in comments or texts', () => {
  const source = [
    `import {`,
    `  one,`,
    `} from 'a'`,
    `import type { T } from "b"`,
    `export { two } from 'c'`,
    `import 'd'`,
    `const e = await import('e')`,
    `// import x from 'no'`,
    `/* import y from 'no' */ const url = 'http://x' // import('no')`,
    'const text = `',
    `import z from 'no'`,
    '`',
    `import type from 'f'`,
  ].join('\n')
  const found = findImports(source).map(({ specifier, line, typeOnly }) => [specifier, line, typeOnly])
  expect(found.toSorted()).toEqual([
    ['a', 1, false],
    ['b', 4, true],
    ['c', 5, false],
    ['d', 6, false],
    ['e', 7, false],
    ['f', 13, false],
  ])
})
