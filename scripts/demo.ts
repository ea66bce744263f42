// Runs a study in ten calls against a running platform: a researcher opens it, a participant joins, records events and
// completes, and the researcher exports the data. The output is a shell script with the equivalent command for each
// call. Results are kept in variables, so that newcomers can paste the lines one by one.
import { parseArgs } from 'node:util'
import { platformAddress } from './platform-address.ts'

interface Call {
  title: string
  method?: 'POST'
  /** May contain variables such as `$ID`, like the headers and the body. */
  path: string
  headers?: Record<string, string>
  body?: object
  /** The variable that stores a field of the response. */
  keep?: { variable: string; field: string }
}

const researcher = { Authorization: 'Bearer $TOKEN' }
const session = { 'X-Session-Id': '$SESSION' }

const study = {
  name: 'Reaction times',
  states: [
    { id: 'task', components: [] },
    { id: 'thanks', components: [] },
  ],
  completion: { codes: { SUCCESS: 'DEMO-DONE' } },
}

const calls = (now: number): Call[] => [
  {
    title:
      'A researcher. The development issuer signs a token for anyone (in production, use a real provider)',
    method: 'POST',
    path: '/dev/identity/token',
    body: { sub: 'demo-researcher', roles: ['researcher'] },
    keep: { variable: 'TOKEN', field: 'idToken' },
  },
  {
    title: 'A study with two states, shown by your own page, which can record any events',
    method: 'POST',
    path: '/api/experiments',
    headers: researcher,
    body: study,
    keep: { variable: 'ID', field: 'experimentId' },
  },
  {
    title: 'Open it',
    method: 'POST',
    path: '/api/experiments/$ID/status',
    headers: researcher,
    body: { status: 'recruiting' },
  },
  {
    title: 'A participant',
    method: 'POST',
    path: '/dev/identity/token',
    body: { sub: 'demo-participant' },
    keep: { variable: 'PERSON', field: 'idToken' },
  },
  {
    title: 'Join with the token and receive a session',
    method: 'POST',
    path: '/api/v4/participant/join',
    headers: { Authorization: 'Bearer $PERSON' },
    body: { experimentId: '$ID', metadata: { source: 'demo', externalId: 'P-1' } },
    keep: { variable: 'SESSION', field: 'sessionId' },
  },
  {
    title: 'Record events in batches; once acknowledged, they are on disk',
    method: 'POST',
    path: '/api/v4/participant/events',
    headers: { ...session, 'Idempotency-Key': 'batch-1' },
    body: {
      events: [
        { type: 'key_pressed', stateId: 'task', timestamp: now, data: { key: 'f', responseTime: 412 } },
        {
          type: 'state_transition',
          stateId: 'thanks',
          timestamp: now + 900,
          data: { fromState: 'task', toState: 'thanks' },
        },
      ],
    },
  },
  {
    title: 'Complete and receive the code for the recruiting platform',
    method: 'POST',
    path: '/api/v4/participant/complete',
    headers: session,
    body: { completionCode: 'SUCCESS', finalState: 'thanks', summary: { totalEvents: 2, duration: 42_000 } },
  },
  {
    title: 'The participant’s own history',
    path: '/api/v4/participant/history',
    headers: { Authorization: 'Bearer $PERSON' },
  },
  {
    title: 'The data, one event per line',
    path: '/api/experiments/$ID/export?format=jsonl',
    headers: researcher,
  },
  {
    title: 'Close the study',
    method: 'POST',
    path: '/api/experiments/$ID/status',
    headers: researcher,
    body: { status: 'closed' },
  },
]

/** Quotes text for a shell: variables remain variables, everything else is literal. */
const quoted = (text: string): string =>
  /\$[A-Z]/.test(text) ? `"${text.replace(/["\\`]/g, '\\$&')}"` : `'${text.replaceAll("'", "'\\''")}'`

function asCommand({ method, path, headers = {}, body, keep }: Call): string {
  const parts = ['curl -fsS', ...(method ? [`-X ${method}`] : []), quoted(`$ATRIUM${path}`)]
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  if (body) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`)
  const command = parts.join(' ')
  return keep ? `${keep.variable}=$(${command} | sed 's/.*"${keep.field}":"\\([^"]*\\)".*/\\1/')` : command
}

async function make(base: string, call: Call, variables: Map<string, string>): Promise<void> {
  const filled = (text: string) => text.replace(/\$([A-Z]+)/g, (_, name) => variables.get(name) ?? '')
  const { title, method = 'GET', path, headers = {}, body, keep } = call
  const response = await fetch(base + filled(path), {
    method,
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: filled(JSON.stringify(body)) } : {}),
  })
  const text = (await response.text()).trim()
  const answer = text.length > 600 ? `${text.slice(0, 600)}…` : text
  console.log(`\n# ${title}\n${asCommand(call)}\n# ${response.status} ${answer.replaceAll('\n', '\n# ')}`)
  if (!response.ok) throw new Error(refusalOf(call, response.status))
  if (keep) variables.set(keep.variable, new RegExp(`"${keep.field}":"([^"]*)"`).exec(text)?.[1] ?? '')
}

const refusalOf = ({ path }: Call, status: number): string =>
  path === '/dev/identity/token' && status === 404
    ? 'This platform signs people in through an identity provider. The demo needs the development issuer.'
    : `The platform responded with status ${status}.`

const { values } = parseArgs({ options: { server: { type: 'string' } } })
const base = platformAddress(values.server, process.env)
try {
  console.log(`ATRIUM=${quoted(base)}`)
  const variables = new Map<string, string>()
  for (const call of calls(Date.now())) await make(base, call, variables)
  console.log('\n# That was a whole study. Paste the lines to repeat it step by step.')
} catch (error) {
  const isAway = error instanceof TypeError
  console.error(
    isAway
      ? `There is no response from ${base}. Start the platform (npm start), or give its address: npm run demo -- --server http://…`
      : (error as Error).message,
  )
  process.exitCode = 1
}
