import { hash } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { openPostgres } from '../../../apps/server/src/adapters/postgres/open-postgres.ts'
import { openSqlite } from '../../../apps/server/src/adapters/sqlite/open-sqlite.ts'

/** One chat message: its entry in the room's log, and the sender's own record of it. */
export interface LoggedMessage {
  roomId: string
  seq: number
  at: number
  actor: string
  actionId: string
  action: string
  streamNo: number
  streamSeq: number
  data: string
}

export interface RoomFloorLog {
  /** Stores a group in one transaction; durable once it returns or resolves. */
  write(messages: LoggedMessage[]): void | Promise<void>
  close(): Promise<void>
}

/** The platform's own tables, with a stream for each socket. Numbered from 1. */
export async function openRoomFloorLog(
  sockets: number,
  { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '.' }: NodeJS.ProcessEnv,
): Promise<RoomFloorLog> {
  const made = databaseUrl ? await openPostgres(databaseUrl, console.error) : await openSqlite(dataDir)
  await made.close()
  const streams = Array.from({ length: sockets }, (_, index) => ({
    stream_no: index + 1,
    session_id: `sess_${hash('sha256', `socket ${index}`, 'base64url')}`,
  }))
  return databaseUrl ? await logInPostgres(databaseUrl, streams) : logInSqlite(dataDir, streams)
}

type Stream = { stream_no: number; session_id: string }

/**
 * In the process itself. A thread keeps the event loop free while the disk is written, but costs two messages for each
 * group, and a floor is about CPU alone.
 */
function logInSqlite(dataDir: string, streams: Stream[]): RoomFloorLog {
  const db = new Sqlite(join(dataDir, 'atrium.db'))
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'wal_autocheckpoint = 4000'])
    db.pragma(pragma)
  const addStream = db.prepare(
    'insert into event_streams (stream_no, session_id, last_seq, sealed) values (?, ?, 0, 0)',
  )
  const addAction = db.prepare(
    'insert into room_actions (room_id, seq, epoch, at, actor, action_id, action, answer) values (?, ?, 1, ?, ?, ?, ?, ?)',
  )
  const addEvent = db.prepare(
    `insert into events (stream_no, seq, event_id, type, state_id, component_id, timestamp, received_at, data, flags,
       extra, room_seq, round, visit)
     values (?, ?, null, 'chat_message', 'talk', 'chat', ?, ?, ?, '', null, ?, null, 1)`,
  )
  const moveStream = db.prepare('update event_streams set last_seq = ? where stream_no = ?')
  db.transaction(() => {
    for (const { stream_no, session_id } of streams) addStream.run(stream_no, session_id)
  })()
  const write = db.transaction((messages: LoggedMessage[]) => {
    for (const { roomId, seq, at, actor, actionId, action, streamNo, streamSeq, data } of messages) {
      addAction.run(roomId, seq, at, actor, actionId, action, seq)
      addEvent.run(streamNo, streamSeq, at, at, data, seq)
      moveStream.run(streamSeq, streamNo)
    }
  })
  return { write: (messages) => write(messages), close: async () => void db.close() }
}

/** One statement for each group, which is a transaction and one round trip. */
async function logInPostgres(connectionString: string, streams: Stream[]): Promise<RoomFloorLog> {
  const client = new pg.Client({ connectionString, options: '-c plan_cache_mode=force_generic_plan' })
  await client.connect()
  await client.query(
    `insert into event_streams (stream_no, session_id, last_seq, sealed)
     select stream_no, session_id, 0, 0 from json_to_recordset($1::json) as s(stream_no integer, session_id text)`,
    [JSON.stringify(streams)],
  )
  const text = `with fresh as materialized (
      select * from json_to_recordset($1::json) as fresh("roomId" text, seq integer, at bigint, actor text,
        "actionId" text, action text, "streamNo" integer, "streamSeq" integer, data text)),
    logged as (
      insert into room_actions (room_id, seq, epoch, at, actor, action_id, action, answer)
      select "roomId", seq, 1, at, actor, "actionId", action, seq from fresh),
    recorded as (
      insert into events (stream_no, seq, event_id, type, state_id, component_id, timestamp, received_at, data, flags,
        extra, room_seq, round, visit)
      select "streamNo", "streamSeq", null, 'chat_message', 'talk', 'chat', at, at, data, '', null, seq, null, 1
      from fresh)
    update event_streams t set last_seq = reached.last_seq
    from (select "streamNo", max("streamSeq") as last_seq from fresh group by 1) reached
    where t.stream_no = reached."streamNo"`
  return {
    async write(messages) {
      await client.query({ name: 'write', text, values: [JSON.stringify(messages)] })
    },
    close: () => client.end(),
  }
}
