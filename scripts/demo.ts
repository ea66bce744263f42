// A whole participant's life against a running platform: token → join → events → complete → history. Each step is
// printed as the curl command that does the same, so that a newcomer can repeat it by hand.
const base = process.argv[2] ?? process.env.PUBLIC_URL ?? 'http://127.0.0.1:3000'

interface Step {
  title: string
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: object
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function asCurl({ method = 'GET', path, headers = {}, body }: Step): string {
  const parts = ['curl', ...(method === 'POST' ? ['-X', method] : []), quoted(base + path)]
  for (const [name, value] of Object.entries(headers))
    parts.push('-H', quoted(`${name}: ${shortened(value)}`))
  if (body) parts.push('-H', quoted('Content-Type: application/json'), '-d', quoted(JSON.stringify(body)))
  return parts.join(' ')
}

/** An ID token fills a screen and tells a reader nothing. */
const shortened = (value: string): string => (value.length > 80 ? `${value.slice(0, 24)}…` : value)

async function run<Answer>(step: Step): Promise<Answer> {
  const { title, method = 'GET', path, headers = {}, body } = step
  const response = await fetch(base + path, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  console.log(
    `\n# ${title}\n$ ${asCurl(step)}\n${response.status} ${text.length > 600 ? `${text.slice(0, 600)}…` : text}`,
  )
  if (!response.ok) throw new Error(`the platform answered ${response.status}`)
  return JSON.parse(text) as Answer
}

async function life(): Promise<void> {
  const { idToken } = await run<{ idToken: string }>({
    title: 'An identity: the development issuer signs a token for anyone (a real provider takes its place)',
    method: 'POST',
    path: '/dev/identity/token',
    body: { sub: `demo-${Date.now()}` },
  })
  const person = { Authorization: `Bearer ${idToken}` }
  const joined = await run<{ data: { sessionId: string } }>({
    title: 'Join an experiment once with the token, and receive a session',
    method: 'POST',
    path: '/api/v4/participant/join',
    headers: person,
    body: {
      experimentId: 'quick-survey',
      role: 'participant',
      metadata: { source: 'demo', externalId: 'P-1' },
    },
  })
  const session = { 'X-Session-Id': joined.data.sessionId }
  await run({ title: 'What else is recruiting?', path: '/api/v4/participant/discover', headers: session })
  await run({
    title: 'Record what happens, in batches; an answer means that it is on disk',
    method: 'POST',
    path: '/api/v4/participant/events',
    headers: { ...session, 'Idempotency-Key': 'batch-1' },
    body: { events: someEvents() },
  })
  await run({
    title: 'Complete, and receive the code for the recruiting platform',
    method: 'POST',
    path: '/api/v4/participant/complete',
    headers: session,
    body: { completionCode: 'SUCCESS', finalState: 'thanks', summary: { totalEvents: 3, duration: 42_000 } },
  })
  await run({ title: 'One’s own history', path: '/api/v4/participant/history', headers: person })
}

const someEvents = (now = Date.now()): object[] => [
  {
    type: 'state_transition',
    stateId: 'questions',
    timestamp: now,
    data: { fromState: 'consent', toState: 'questions' },
  },
  {
    type: 'component_response',
    componentId: 'mood',
    timestamp: now + 900,
    data: { value: 72, responseTime: 900 },
  },
  {
    type: 'component_response',
    componentId: 'sleep',
    timestamp: now + 2_100,
    data: { value: 'well', responseTime: 1_200 },
  },
]

try {
  await life()
  console.log('\nThat was a whole participant’s life.')
} catch (error) {
  const isAway = error instanceof TypeError
  console.error(
    isAway ? `Nothing answers at ${base}. Start the platform first: npm start` : (error as Error).message,
  )
  process.exitCode = 1
}
