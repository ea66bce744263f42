import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '@atrium/testkit'
import { Redis } from 'ioredis'
import { queryPostgres } from '../stores/engines.ts'

/** Where a text is stored: files of SQLite byte by byte, or every table of PostgreSQL and every key of Redis. */
export async function tracesOf(world: World, text: string): Promise<string[]> {
  const { databaseUrl, redis } = world
  if (databaseUrl === undefined || !redis) return inFiles(world.servers[0]?.dataDir ?? '', text)
  return [...(await inTables(databaseUrl, text)), ...(await inRedis(redis.url, text))]
}

const inFiles = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text))

async function inTables(url: string, text: string): Promise<string[]> {
  const tables = await queryPostgres(
    url,
    `select table_name as name from information_schema.tables where table_schema = current_schema()`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await queryPostgres(
      url,
      `select count(*)::int as n from "${name}" as t where strpos(t::text, '${text}') > 0`,
    )
    if (row?.n !== 0) found.push(`table ${name}`)
  }
  return found
}

async function inRedis(url: string, text: string): Promise<string[]> {
  const redis = new Redis(url)
  try {
    const found: string[] = []
    for (const key of await redis.keys('*')) {
      const value = await contentOf(redis, key)
      if (`${key} ${value}`.includes(text)) found.push(`key ${key}`)
    }
    return found
  } finally {
    redis.disconnect()
  }
}

async function contentOf(redis: Redis, key: string): Promise<string> {
  switch (await redis.type(key)) {
    case 'string':
      return (await redis.get(key)) ?? ''
    case 'hash':
      return JSON.stringify(await redis.hgetall(key))
    case 'set':
      return JSON.stringify(await redis.smembers(key))
    case 'zset':
      return JSON.stringify(await redis.zrange(key, 0, -1))
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1))
    default:
      return ''
  }
}
