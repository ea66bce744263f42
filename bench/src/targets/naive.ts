// The usual way to write such a server: Express, and one transaction per request.
import express from 'express'
import { openNaivePostgres, openNaiveSqlite } from './naive-store.ts'
import { peerSettings, printListening } from './peer.ts'

const { databaseUrl, dataDir, sessionIds, inserts } = peerSettings(process.env)
const store = databaseUrl
  ? await openNaivePostgres(databaseUrl, sessionIds, inserts)
  : openNaiveSqlite(dataDir, sessionIds, inserts)

const app = express()
app.use(express.json({ limit: '1mb' }))
app.post('/events', async (request, response) => {
  const { events } = request.body
  await store.record(request.get('x-session-id') ?? '', events)
  response.json({
    status: 'success',
    data: { recorded: events.length, serverTimestamp: new Date().toISOString() },
  })
})
const server = app.listen(0, '127.0.0.1', () => printListening(server.address()))

process.on('SIGTERM', async () => {
  await store.close()
  process.exit(0)
})
