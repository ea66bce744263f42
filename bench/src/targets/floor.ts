// The floor: a bare node:http server on the platform's own store, without validation, authentication or limits. What
// Atrium costs above it is the price of exactly these.
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { openPostgres } from '../../../apps/server/src/adapters/postgres/open-postgres.ts'
import { openSqlite } from '../../../apps/server/src/adapters/sqlite/open-sqlite.ts'
import { createGroupCommit } from '../../../apps/server/src/kernel/group-commit.ts'
import type { EventToStore } from '../../../apps/server/src/modules/events/events.store.ts'
import { groupLimits } from '../../../apps/server/src/modules/events/events.ts'
import { peerSettings, printListening } from './peer.ts'

interface SentEvent {
  type: string
  stateId: string
  componentId: string
  timestamp: number
  data: object
}

const responseBody = JSON.stringify({ status: 'success', data: { recorded: 10 } })
const responseHeaders = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(responseBody),
}

const { databaseUrl, dataDir, sessionIds } = peerSettings(process.env)
const database = databaseUrl ? await openPostgres(databaseUrl, console.error) : await openSqlite(dataDir)
await addStreams()
const groups = databaseUrl ? groupLimits.shared : groupLimits.embedded
const commits = createGroupCommit(database.events.append, groups)

const server = createServer(async (request, response) => {
  const { events }: { events: SentEvent[] } = JSON.parse(await bodyOf(request))
  await commits.add({
    sessionId: String(request.headers['x-session-id']),
    idempotencyKey: null,
    bodyHash: '',
    needsConsent: false,
    quota: { participantBytes: Number.MAX_SAFE_INTEGER, experimentBytes: Number.MAX_SAFE_INTEGER },
    receivedAt: Date.now(),
    events: events.map(toStore),
  })
  response.writeHead(200, responseHeaders).end(responseBody)
})
server.listen(0, '127.0.0.1', () => printListening(server.address()))

process.on('SIGTERM', async () => {
  await database.close()
  process.exit(0)
})

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => resolve(text))
  })
}

const toStore = ({ type, stateId, componentId, timestamp, data }: SentEvent): EventToStore => ({
  eventId: null,
  type,
  stateId,
  componentId,
  timestamp,
  flags: '',
  extra: null,
  data: JSON.stringify(data),
})

/** Directly in the database, because joining thousands of sessions one by one takes a while. */
async function addStreams(): Promise<void> {
  const ids = JSON.stringify(sessionIds)
  if (databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query(
      'insert into event_streams (session_id, last_seq, sealed) select value, 0, 0 from json_array_elements_text($1::json)',
      [ids],
    )
    return await client.end()
  }
  const file = new Sqlite(join(dataDir, 'atrium.db'))
  file
    .prepare('insert into event_streams (session_id, last_seq, sealed) select value, 0, 0 from json_each(?)')
    .run(ids)
  file.close()
}
