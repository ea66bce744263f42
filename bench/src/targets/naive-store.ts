import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'

interface NaiveEvent {
  type: string
  stateId?: string
  componentId?: string
  timestamp: number
  data?: object
}

export interface NaiveStore {
  /** One transaction per request: find the session, insert the events, update the session. */
  record(sessionId: string, events: NaiveEvent[]): Promise<void>
  close(): Promise<void>
}

/** One insert per event, as such code is usually written, or one statement per request. */
export type Inserts = 'each' | 'block'

/** A request's events, grouped by insert. */
const portions = (events: NaiveEvent[], inserts: Inserts): NaiveEvent[][] =>
  inserts === 'block' ? [events] : events.map((event) => [event])

const columns = ['session_id', 'type', 'state_id', 'component_id', 'timestamp', 'received_at', 'data']

const rowsOf = (sessionId: string, events: NaiveEvent[], now: number): unknown[] =>
  events.flatMap(({ type, stateId, componentId, timestamp, data }) => [
    sessionId,
    type,
    stateId ?? null,
    componentId ?? null,
    timestamp,
    now,
    JSON.stringify(data ?? {}),
  ])

const tables = (serial: string) => `
  create table sessions (session_id text primary key, status text not null, last_activity_at bigint not null,
    event_count bigint not null);
  create table events (id ${serial}, session_id text not null references sessions, type text not null,
    state_id text, component_id text, timestamp bigint not null, received_at bigint not null,
    data text not null);
  create index events_by_session on events (session_id);`

export function openNaiveSqlite(dataDir: string, sessionIds: string[], inserts: Inserts): NaiveStore {
  mkdirSync(dataDir, { recursive: true })
  const db = new Sqlite(join(dataDir, 'naive.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(tables('integer primary key'))
  db.prepare(`insert into sessions select value, 'active', 0, 0 from json_each(?)`).run(
    JSON.stringify(sessionIds),
  )
  const find = db.prepare('select * from sessions where session_id = ?')
  const update = db.prepare(
    'update sessions set last_activity_at = ?, event_count = event_count + ? where session_id = ?',
  )
  const insert = (count: number) => {
    const row = `(${columns.map(() => '?').join(',')})`
    return db.prepare(`insert into events (${columns}) values ${Array(count).fill(row).join(',')}`)
  }
  const prepared = new Map([1, 10].map((count) => [count, insert(count)]))
  const record = db.transaction((sessionId: string, events: NaiveEvent[]) => {
    const now = Date.now()
    if (!find.get(sessionId)) throw new Error('no such session')
    for (const portion of portions(events, inserts)) {
      const statement = prepared.get(portion.length) ?? insert(portion.length)
      statement.run(rowsOf(sessionId, portion, now))
    }
    update.run(now, events.length, sessionId)
  })
  return { record: async (...request) => record(...request), close: async () => void db.close() }
}

export async function openNaivePostgres(
  url: string,
  sessionIds: string[],
  inserts: Inserts,
): Promise<NaiveStore> {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query(tables('bigserial primary key'))
  await pool.query(
    `insert into sessions select value, 'active', 0, 0 from json_array_elements_text($1::json)`,
    [JSON.stringify(sessionIds)],
  )
  return {
    async record(sessionId, events) {
      const client = await pool.connect()
      try {
        const now = Date.now()
        await client.query('begin')
        const found = await client.query('select * from sessions where session_id = $1', [sessionId])
        if (found.rowCount === 0) throw new Error('no such session')
        for (const portion of portions(events, inserts))
          await client.query(
            `insert into events (${columns}) values ${placeholders(portion.length)}`,
            rowsOf(sessionId, portion, now),
          )
        await client.query(
          'update sessions set last_activity_at = $1, event_count = event_count + $2 where session_id = $3',
          [now, events.length, sessionId],
        )
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
    close: () => pool.end(),
  }
}

const placeholders = (rows: number): string =>
  Array.from(
    { length: rows },
    (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(',')})`,
  ).join(',')
