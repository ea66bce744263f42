import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import pg from 'pg'

type Row = Record<string, string | number | null>

/** Bypasses the server, for what no call can cause (a day passing) or show (columns). */
async function query(world: World, statement: string, values: (string | number)[]): Promise<Row[]> {
  return world.databaseUrl === undefined
    ? querySqlite(world, statement, values)
    : queryPostgres(world.databaseUrl, statement, values)
}

async function queryPostgres(url: string, statement: string, values: (string | number)[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // A dropped connection also rejects the query.
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}

function querySqlite({ servers }: World, statement: string, values: (string | number)[]): Row[] {
  const database = new Sqlite(join(servers[0]?.dataDir ?? '', 'atrium.db'), { fileMustExist: true })
  try {
    const prepared = database.prepare<(string | number)[], Row>(statement.replace(/\$\d+/g, '?'))
    if (prepared.reader) return prepared.all(...values)
    prepared.run(...values)
    return []
  } finally {
    database.close()
  }
}

/** For columns that no call shows. */
export const readRows = (world: World, statement: string, values: (string | number)[] = []): Promise<Row[]> =>
  query(world, statement, values)

/** Makes a session expire at `expiresAt`. */
export async function moveExpiry(world: World, sessionId: string, expiresAt: number): Promise<void> {
  await query(world, 'update sessions set expires_at = $1 where session_id = $2', [expiresAt, sessionId])
}

/** For changes that only an operator could make to the tables. */
export async function changeRows(world: World, statement: string): Promise<void> {
  await query(world, statement, [])
}

export async function sessionRow(world: World, sessionId: string) {
  const [row] = await query(
    world,
    `select s.*, o.ip_address, o.user_agent from sessions s
     join session_origins o on o.session_id = s.session_id where s.session_id = $1`,
    [sessionId],
  )
  if (row === undefined) throw new Error(`there is no session ${sessionId}`)
  return {
    createdAt: Number(row.created_at),
    lastActivityAt: Number(row.last_activity_at),
    expiresAt: Number(row.expires_at),
    status: row.status,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
  }
}

/** All that a database holds, to search for what must not be in it: the bytes of its files, or every row of every table. */
export async function everythingStored(world: World): Promise<string> {
  if (world.databaseUrl === undefined) {
    const folder = world.servers[0]?.dataDir ?? ''
    const files = readdirSync(folder).filter((name) => /^atrium\.db(-wal)?$/.test(name))
    return files.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n')
  }
  const tables = await query(
    world,
    "select table_name as name from information_schema.tables where table_schema = 'public'",
    [],
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await query(world, `select t::text as row from "${name}" t`, [])
    texts.push(...rows.map(({ row }) => String(row)))
  }
  return texts.join('\n')
}

/** A video that somebody has begun to upload: no call can make one in a world without an object store. */
export async function insertVideo(world: World, ownerToken: string): Promise<string> {
  const { iss, sub } = JSON.parse(Buffer.from(ownerToken.split('.')[1] ?? '', 'base64url').toString())
  const videoId = `vid_${randomBytes(16).toString('base64url')}`
  const key = `videos/${videoId}/original/film.mp4`
  await query(
    world,
    `insert into videos (video_id, owner, filename, content_type, size, storage_key, created_at, hls_status, attempt,
      submit_after, former_jobs, levels, has_poster) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [videoId, `${iss} ${sub}`, 'film.mp4', 'video/mp4', 1, key, Date.now(), 'pending', 1, 0, '[]', '[]', 0],
  )
  return videoId
}

export async function insertMedia(world: World, ownerToken: string): Promise<string> {
  const { iss, sub } = JSON.parse(Buffer.from(ownerToken.split('.')[1] ?? '', 'base64url').toString())
  const mediaId = `med_${randomBytes(16).toString('base64url')}`
  await query(
    world,
    `insert into media_files (media_id, owner, name, kind, content_type, bytes, sha256, created_at, stored_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [mediaId, `${iss} ${sub}`, 'face.png', 'picture', 'image/png', 1, 'a', Date.now(), Date.now()],
  )
  return mediaId
}
