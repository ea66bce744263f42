import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface SimulatedSubmission {
  id: string
  study_id: string
  participant_id: string
  status: string
  started_at: string
  completed_at: string | null
  study_code: string | null
}

/** What happens to one request: `lost` does what it asks for and breaks the connection; `never` leaves it unanswered. */
type Trouble = 'rate limit' | 'error' | 'refused' | 'lost' | 'never' | 'no json' | 'endless' | 'redirect'

export interface ProlificServer {
  readonly baseUrl: string
  readonly token: string
  /** `POST /api/v1/studies/`, as they arrived. */
  readonly requests: string[]
  readonly studies: Map<string, Record<string, unknown>>
  readonly submissions: SimulatedSubmission[]
  /** Every payment that was made, twice if it was asked for twice, as at the real one. */
  readonly paid: { participantId: string; amount: string }[]
  /** Somebody at Prolific takes part and returns with a code. */
  takePart(studyId: string, participantId: string, code: string | null): SimulatedSubmission
  /** For the next request whose line begins with this. */
  trouble(request: string, trouble: Trouble): void
  stop(): Promise<void>
}

interface Reply {
  status: number
  body: unknown
}

/** Speaks like Prolific’s API, as far as the platform uses it, over real HTTP: checks the token and keeps what it is told. */
export async function startProlificServer(): Promise<ProlificServer> {
  const token = 'simulated-token-of-a-researcher'
  const requests: string[] = []
  const studies: ProlificServer['studies'] = new Map()
  const submissions: SimulatedSubmission[] = []
  const paid: ProlificServer['paid'] = []
  const prepared = new Map<string, string[]>()
  const troubles: { request: string; trouble: Trouble }[] = []
  const idOf = (kind: string, nth: number) => `${kind}${String(nth).padStart(22, '0')}`

  function createStudy(draft: Record<string, unknown>): Reply {
    const codes = draft.completion_codes as { code?: string }[] | undefined
    const needed = ['name', 'description', 'external_study_url', 'reward', 'total_available_places']
    const missing = needed.filter((name) => draft[name] === undefined)
    if (missing.length > 0 || !codes?.length) return refusal(400, `missing: ${missing.join(', ')}`)
    if (new Set(codes.map(({ code }) => code)).size < codes.length)
      return refusal(400, 'codes must be unique')
    const id = idOf('st', studies.size + 1)
    studies.set(id, { ...draft, id, status: 'UNPUBLISHED' })
    return { status: 201, body: studies.get(id) }
  }

  function list(query: URLSearchParams): Reply {
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('page_size') ?? 20)]
    const found = submissions.filter(({ study_id }) => study_id === query.get('study'))
    return { status: 200, body: { results: found.slice((page - 1) * size, page * size) } }
  }

  function approve(submission: SimulatedSubmission, action: unknown): Reply {
    if (action !== 'APPROVE' || submission.status !== 'AWAITING REVIEW')
      return refusal(400, 'This submission cannot be approved.')
    submission.status = 'APPROVED'
    return { status: 200, body: submission }
  }

  function prepare({ study_id, csv_bonuses }: Record<string, unknown>): Reply {
    const lines = String(csv_bonuses).split('\n')
    const isKnown = (line: string) =>
      /^[^,]+,\d+\.\d\d$/.test(line) &&
      submissions.some((each) => each.study_id === study_id && each.participant_id === line.split(',')[0])
    if (!lines.every(isKnown)) return refusal(400, 'unknown participant or amount')
    const id = idOf('bp', prepared.size + 1)
    prepared.set(id, lines)
    return { status: 201, body: { id, study: study_id } }
  }

  function pay(id: string): Reply {
    const lines = prepared.get(id)
    if (!lines) return refusal(404, 'no such payment')
    for (const line of lines) {
      const [participantId = '', amount = ''] = line.split(',')
      paid.push({ participantId, amount })
    }
    return { status: 202, body: { message: 'The payment will be made soon.' } }
  }

  function answer(method: string, url: URL, body: Record<string, unknown>): Reply {
    const path = url.pathname.replace('/api/v1', '')
    const id = path.split('/')[2] ?? ''
    const submission = submissions.find((each) => each.id === id)
    if (method === 'GET' && path === '/users/me/') return { status: 200, body: { id: 'researcher' } }
    if (method === 'POST' && path === '/studies/') return createStudy(body)
    if (method === 'GET' && path === '/submissions/') return list(url.searchParams)
    if (method === 'POST' && path === '/submissions/bonus-payments/') return prepare(body)
    if (method === 'POST' && path === `/bulk-bonus-payments/${id}/pay/`) return pay(id)
    if (!submission) return refusal(404, 'not found')
    if (method === 'POST' && path === `/submissions/${id}/transition/`)
      return approve(submission, body.action)
    return { status: 200, body: submission }
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(message)
    const line = `${message.method} ${message.url}`
    requests.push(line)
    if (message.headers.authorization !== `Token ${token}`)
      return send(response, refusal(401, 'Authentication credentials were not provided.'))
    const at = troubles.findIndex(({ request }) => line.startsWith(request))
    const [found] = at < 0 ? [] : troubles.splice(at, 1)
    const act = () =>
      answer(message.method ?? '', new URL(message.url ?? '', 'http://x'), body ? JSON.parse(body) : {})
    // As Prolific does, with the names of those it is about.
    if (found?.trouble === 'refused')
      return send(
        response,
        refusal(400, `Cannot pay ${submissions.at(-1)?.participant_id}: not enough funds.`),
      )
    if (found) return misbehave(response, found.trouble, act)
    send(response, act())
  }

  const server = createServer((message, response) => void serve(message, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    token,
    requests,
    studies,
    submissions,
    paid,
    takePart(studyId, participantId, code) {
      const submission: SimulatedSubmission = {
        id: idOf('su', submissions.length + 1),
        study_id: studyId,
        participant_id: participantId,
        status: code === null ? 'ACTIVE' : 'AWAITING REVIEW',
        started_at: '2026-01-01T10:00:00Z',
        completed_at: code === null ? null : '2026-01-01T10:10:00Z',
        study_code: code,
      }
      submissions.push(submission)
      return submission
    },
    trouble: (request, trouble) => void troubles.push({ request, trouble }),
    stop: () => stopServer(server),
  }
}

const refusal = (status: number, detail: string): Reply => ({ status, body: { error: { status, detail } } })

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function misbehave(response: ServerResponse, trouble: Exclude<Trouble, 'refused'>, act: () => unknown): void {
  switch (trouble) {
    case 'rate limit':
      send(response, refusal(429, 'Slow down.'))
      return
    case 'error':
      send(response, refusal(500, 'Something broke.'))
      return
    case 'lost':
      act()
      response.destroy()
      return
    case 'never':
      return
    case 'no json':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')
      return
    case 'redirect':
      response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()
      return
    case 'endless': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && response.write(`"${'x'.repeat(65_536)}",`));
      }
      response.on('drain', more)
      more()
    }
  }
}

const stopServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
