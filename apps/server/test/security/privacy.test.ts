import {
  type ErrorCode,
  experimentRoutes,
  participantRoutes,
  peopleRoutes,
  plotRoutes,
  type RouteSpec,
  roomRoutes,
} from '@atrium/contract'
import {
  codeOf,
  createApi,
  createResearcher,
  createTestDatabase,
  type Redis,
  type Server,
  smallestDefinition,
  startRedis,
  startServer,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRaw, requestText } from './raw-http.ts'

const userAgent = 'CanaryBrowser/7.0'
const canary = {
  subject: 'canary-subject-5d1c',
  externalId: 'canary-prolific-id-8841',
  text: 'canary words of a participant',
  address: '203.0.113.77',
  browser: 'CanaryBrowser',
  otherBrowser: 'OtherCanaryBrowser',
  sessionSecret: 'canary-session-secret-77aa',
  databasePassword: 'canary-database-password-19',
  redisPassword: 'canary-redis-password-3c',
  queryText: 'canary-in-a-query',
  pathText: 'canary-in-a-path',
  headerText: 'canary-in-a-header',
  brokenText: 'canary-in-broken-json',
  idempotencyKey: 'canary-idempotency-key',
}

let server: Server
let redis: Redis
let databaseUrl: string
/** Everything that must not appear anywhere: the planted values and those that the server issued. */
let secrets: Record<string, string>
let exported: string
/** Every response to researchers and administrators, by route. */
const told: Record<string, string> = {}
/** The text of every refusal, defects included. */
const refused: string[] = []

beforeAll(async () => {
  databaseUrl = await createTestDatabase()
  redis = await startRedis()
  const database = new URL(databaseUrl)
  database.password = canary.databasePassword
  server = await startServer({
    env: {
      LOG_LEVEL: 'trace',
      TRUST_PROXY: 'true',
      DATABASE_URL: database.href,
      // Wrong on purpose: a refused AUTH could put the password into an error message.
      REDIS_URL: redis.url.replace('redis://', `redis://someone:${canary.redisPassword}@`),
      SESSION_SECRET: canary.sessionSecret,
      METRICS_HEARTBEAT_INTERVAL: '100',
    },
  })
  secrets = { ...canary, ...(await runParticipation()) }
})
afterAll(async () => {
  await server.stop()
  await redis.stop()
})

/** A whole participation with everything that can go wrong on the way. */
async function runParticipation(): Promise<Record<string, string>> {
  const api = createApi(server.http, userAgent)
  const headers = { 'x-forwarded-for': canary.address }
  const { call } = api
  const researcher = await createResearcher(api)
  const experimentId = await researcher.openExperiment(
    smallestDefinition({ completion: { redirectUrl: 'https://example.org/?id={{metadata.externalId}}' } }),
  )
  const token = await api.token(canary.subject)
  const body = { experimentId, metadata: { externalId: canary.externalId } }
  const session = succeeded(await call(participantRoutes.joinV4, { token, body, headers })).data
  const { sessionId, sessionToken } = session
  const events = (more: object = {}, key?: string) =>
    call(participantRoutes.eventsV4, {
      session,
      headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body: { events: [{ type: 'chat', timestamp: 1, data: { text: canary.text, sessionId }, ...more }] },
    })
  const discover = (options: object) => call(participantRoutes.discoverV4, { session, headers, ...options })

  succeeded(await events({}, canary.idempotencyKey))
  const refusals = [
    await events({ type: 'other' }, canary.idempotencyKey),
    await events({ type: canary.text }),
    await events({ stateId: `\0${canary.text}` }),
    await events({ experimentId: canary.queryText }),
    await discover({ query: { experimentId: canary.queryText } }),
    await discover({ headers: { 'user-agent': canary.otherBrowser } }),
    await discover({ session: { sessionId, sessionToken: `${sessionToken}x` } }),
    await discover({ session: { sessionId: `${sessionId}x` } }),
    await call(participantRoutes.historyV4, { token: `${token}x`, headers }),
    await call(experimentRoutes.list, { token }),
    await call(experimentRoutes.read, { token: researcher.token, params: { experimentId: canary.pathText } }),
  ]
  expect(refusals.filter(({ status }) => status < 400)).toEqual([])
  refused.push(...refusals.map(({ text }) => text))
  await sendBrokenRequests(sessionId)
  const defect = async (ask: () => ReturnType<typeof call>) => {
    const answer = await ask()
    expect(codeOf(answer)).toBe('INTERNAL')
    refused.push(answer.text)
  }
  await provokeDefect(() => defect(events))
  const complete = () =>
    call(participantRoutes.completeV4, { session, headers, body: { completionCode: 'SUCCESS' } })
  await provokeRevealingError(() => defect(complete))
  const revoked = succeeded(
    await call(participantRoutes.joinV4, { token: await api.token('other'), body }),
  ).data
  succeeded(await complete())
  const admin = await api.token('admin', ['admin'])
  const ask = async (route: RouteSpec, params: Record<string, string>, refusal?: ErrorCode) => {
    const answer = await call(route, { token: admin, params })
    expect([route.path, codeOf(answer)]).toEqual([route.path, refusal])
    told[`${route.method} ${route.path}`] = answer.text
    return answer.text
  }
  const renamed = smallestDefinition({ name: `Without ${sessionId}` })
  succeeded(await call(experimentRoutes.revise, { token: admin, params: { experimentId }, body: renamed }))
  const { roomId } = session
  exported = await ask(experimentRoutes.export, { experimentId })
  for (const route of [
    experimentRoutes.read,
    experimentRoutes.monitor,
    experimentRoutes.activity,
    plotRoutes.read,
    peopleRoutes.list,
    roomRoutes.list,
  ])
    await ask(route, { experimentId })
  await ask(peopleRoutes.timeline, { experimentId, participantId: session.participantId })
  for (const route of [roomRoutes.state, roomRoutes.participants]) await ask(route, { roomId })
  await ask(experimentRoutes.list, {})
  await ask(experimentRoutes.revokeSession, { sessionId: revoked.sessionId })
  await ask(experimentRoutes.revokeSession, { sessionId }, 'SESSION_COMPLETED')
  return { token, sessionId, sessionToken, participantId: session.participantId }
}

async function sendBrokenRequests(sessionId: string): Promise<void> {
  const path = `${participantRoutes.eventsV4.path}?x=${canary.queryText}`
  const headers = [
    `X-Session-Id: ${sessionId}`,
    'Content-Type: application/json',
    `Cookie: ${canary.headerText}`,
  ]
  const broken = `{"${canary.brokenText}`
  for (const bytes of [
    requestText(`POST ${path}`, [...headers, `Content-Length: ${broken.length}`], broken),
    requestText(`GET /${canary.pathText}/%ff`, headers),
    requestText(`BREW /${canary.pathText}`, headers),
    requestText(`GET /${canary.pathText}`, [`X: ${canary.headerText}\0`]),
    requestText(`GET /${canary.pathText}`, [`X: ${canary.headerText.repeat(5_000)}`]),
  ]) {
    const connection = openRaw(server.http)
    connection.write(bytes)
    const answers = await connection.answers()
    expect(answers).toHaveLength(1)
    refused.push(JSON.stringify(answers))
    connection.socket.destroy()
  }
}

/** PostgreSQL includes the whole refused row in its error. */
async function provokeDefect(meanwhile: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('ALTER TABLE events ADD CONSTRAINT refuse_all CHECK (false) NOT VALID')
  await meanwhile()
  await client.query('ALTER TABLE events DROP CONSTRAINT refuse_all')
  await client.end()
}

/** An error message may contain anything. */
async function provokeRevealingError(meanwhile: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`create function tell() returns trigger language plpgsql as
    $$ begin raise exception 'talks of %', old.session_id; end $$`)
  await client.query('create trigger tell before update on sessions for each row execute function tell()')
  await meanwhile()
  await client.query('drop trigger tell on sessions')
  await client.end()
}

const namesFoundIn = (text: string): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []))

test('[R13] the log records what happened', async () => {
  await waitUntil(() => server.stderr().includes('WRONGPASS') || 'Redis has not refused yet')
  const log = server.stderr()
  expect(log).toContain('"msg":"answered"')
  expect(log).toContain('"msg":"request failed"')
  expect(log).toContain('refuse_all')
  expect(log).toContain('talks of ses_')
  expect(log).toContain('session used by another browser')
})

test('the log contains no personal data and no secrets', async () => {
  await waitUntil(() => server.stderr().includes('WRONGPASS') || 'Redis has not refused yet')
  expect(namesFoundIn(server.stdout())).toEqual([])
  expect(namesFoundIn(server.stderr())).toEqual([])
})

test('the metrics contain no personal data', async () => {
  const scrape = await (await fetch(`${server.metrics}/metrics`)).text()
  const figures = await (await fetch(`${server.http}/api/health/metrics`)).text()
  expect(scrape).toContain('http_requests_total')
  expect(namesFoundIn(scrape + figures)).toEqual([])
})

test('answers that refuse something, and those to our own defects, contain no personal data', () => {
  expect(refused.length).toBeGreaterThan(15)
  // Whoever names an experiment that there is not, or a key that they have used, gets it back.
  const repeated = ['queryText', 'pathText', 'idempotencyKey']
  for (const text of refused)
    expect(namesFoundIn(text).filter((name) => !repeated.includes(name))).toEqual([])
})

test('an export contains responses but no identities', () => {
  // The contract requires the participant in every line, by a pseudonymous id.
  expect(namesFoundIn(exported).sort()).toEqual(['participantId', 'text'])
})

test('[R59] no response to a researcher or an administrator contains a session id', () => {
  expect(Object.keys(told).length).toBeGreaterThan(8)
  for (const [route, text] of Object.entries(told)) {
    expect([route, namesFoundIn(text).filter((name) => /session/i.test(name))]).toEqual([route, []])
    expect([route, /sess_|stkn_/.exec(text)?.[0]]).toEqual([route, undefined])
  }
  for (const route of ['GET /api/experiments', 'GET /api/experiments/:experimentId'])
    expect(told[route]).toMatch(/"Without ses_[\w-]{22}"/)
  expect(exported).toMatch(/"sessionId":"ses_[\w-]{22}"/)
})
