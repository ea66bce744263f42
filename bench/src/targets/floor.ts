// The floor: a bare node:http server on the platform's own store. Nothing is checked, nobody is recognised and
// nothing is limited, so what Atrium costs above it is the price of exactly that.
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { openPostgres } from '../../../apps/server/src/adapters/postgres/open-postgres.ts'
import { openSqlite } from '../../../apps/server/src/adapters/sqlite/open-sqlite.ts'
import type { EventToStore } from '../../../apps/server/src/modules/events/events.store.ts'
import { groupLimits } from '../../../apps/server/src/modules/events/events.ts'
import { createGroupCommit } from '../../../apps/server/src/modules/events/group-commit.ts'
import { peerSettings, sayListening } from './peer.ts'

interface SentEvent {
  type: string
  stateId: string
  componentId: string
  timestamp: number
  data: object
}

const answer = JSON.stringify({ status: 'success', data: { recorded: 10 } })
const answerHeaders = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }

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
    receivedAt: Date.now(),
    events: events.map(toStore),
  })
  response.writeHead(200, answerHeaders).end(answer)
})
server.listen(0, '127.0.0.1', () => sayListening(server.address()))

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

/** Behind the store's back, because joining a few thousand sessions one by one takes a while. */
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
