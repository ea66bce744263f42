import { parserFor } from '@atrium/contract'
import { Type } from 'typebox'
import { AppError } from '../../kernel/app-error.ts'
import { OutboundError } from '../../kernel/outbound-error.ts'
import { readBoundedJson } from '../agents/index.ts'

export interface ProlificDraft {
  name: string
  description: string
  external_study_url: string
  prolific_id_option: 'url_parameters'
  completion_codes: { code: string; code_type: string; actions: object[] }[]
  total_available_places: number
  estimated_completion_time: number
  reward: number
}

export type SiteSubmission = ReturnType<typeof asSubmission>

/** Prolific’s API, as far as it is used here. Refuses with PROLIFIC_REFUSED or PROLIFIC_UNAVAILABLE. */
export interface ProlificApi {
  checkToken(): Promise<void>
  createDraft(draft: ProlificDraft): Promise<{ studyId: string; status: string }>
  submissions(studyId: string): Promise<{ submissions: SiteSubmission[]; isComplete: boolean }>
  submission(submissionId: string): Promise<SiteSubmission>
  approve(submissionId: string): Promise<void>
  /** Prepares a payment, which costs nothing yet; returns its id. */
  prepareBonus(studyId: string, participantId: string, amount: number): Promise<string>
  /** Pays, and pays again if it is called again: Prolific’s request is not idempotent. */
  payBonus(paymentId: string): Promise<void>
}

export interface ProlificApiDeps {
  /** Without a slash at the end. */
  baseUrl: string
  token: string
  /** The guarded one: bounds the size of replies and follows no redirect. */
  fetch: typeof globalThis.fetch
  timeoutMs?: number
}

const usualTimeoutMs = 20_000
const maxPages = 20
const perPage = 100

const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$' })
const Text = Type.String({ maxLength: 500 })
const Optional = Type.Optional(Type.Union([Text, Type.Null()]))
const Submission = Type.Object({
  id: Id,
  status: Text,
  study_id: Type.Optional(Id),
  participant_id: Type.Optional(Id),
  participant: Type.Optional(Id),
  started_at: Optional,
  completed_at: Optional,
  study_code: Optional,
})
const parsers = {
  anything: parserFor(Type.Unknown()),
  study: parserFor(Type.Object({ id: Id, status: Text })),
  submission: parserFor(Submission),
  submissions: parserFor(Type.Object({ results: Type.Array(Submission, { maxItems: 1_000 }) })),
  payment: parserFor(Type.Object({ id: Id })),
}

const asSubmission = (sent: Type.Static<typeof Submission>) => ({
  submissionId: sent.id,
  studyId: sent.study_id,
  personId: sent.participant_id ?? sent.participant,
  status: sent.status,
  startedAt: sent.started_at ?? null,
  completedAt: sent.completed_at ?? null,
  code: sent.study_code ?? null,
})

export function createProlificApi(deps: ProlificApiDeps): ProlificApi {
  const { baseUrl, token, fetch, timeoutMs = usualTimeoutMs } = deps
  /** RC7: Prolific may name people where it refuses, which only owners may read. */
  const hidden = new Set([token])

  async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(`${baseUrl}/api/v1${path}`, {
        method,
        redirect: 'manual',
        signal,
        headers: {
          authorization: `Token ${token}`,
          accept: 'application/json',
          // A kept connection that breaks makes the guarded fetch send the request again, which must not happen to a payment.
          connection: 'close',
          ...(method === 'POST' && { 'content-type': 'application/json' }),
        },
        ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      })
      const text = await response.text()
      if (response.status === 429) throw unavailable('rate_limited')
      if (response.status === 408) throw unavailable('timeout')
      if (response.status >= 400 && response.status < 500) throw refused(response.status, text, hidden)
      if (response.status < 200 || response.status >= 300) throw unavailable('failed')
      return jsonIn(text)
    } catch (error) {
      if (error instanceof AppError) throw error
      const isLate = signal.aborted || (error instanceof OutboundError && error.code === 'REPLY_TIMEOUT')
      throw unavailable(isLate ? 'timeout' : 'failed')
    }
  }

  const get = async <Kind extends keyof typeof parsers>(kind: Kind, path: string) =>
    parsed(kind, await ask('GET', path))
  const post = async <Kind extends keyof typeof parsers>(kind: Kind, path: string, body?: object) =>
    parsed(kind, await ask('POST', path, body))

  return {
    async checkToken() {
      await get('anything', '/users/me/')
    },
    async createDraft(draft) {
      const { id, status } = await post('study', '/studies/', draft)
      return { studyId: id, status }
    },
    async submissions(studyId) {
      const found: SiteSubmission[] = []
      for (let page = 1; page <= maxPages; page++) {
        const query = `study=${studyId}&page=${page}&page_size=${perPage}`
        const { results } = await get('submissions', `/submissions/?${query}`)
        found.push(...results.map(asSubmission))
        if (results.length < perPage) return { submissions: found, isComplete: true }
      }
      return { submissions: found, isComplete: false }
    },
    async submission(submissionId) {
      const submission = asSubmission(await get('submission', `/submissions/${submissionId}/`))
      if (submission.personId !== undefined) hidden.add(submission.personId)
      return submission
    },
    async approve(submissionId) {
      await post('anything', `/submissions/${submissionId}/transition/`, { action: 'APPROVE' })
    },
    async prepareBonus(studyId, participantId, amount) {
      const bonuses = { study_id: studyId, csv_bonuses: `${participantId},${(amount / 100).toFixed(2)}` }
      return (await post('payment', '/submissions/bonus-payments/', bonuses)).id
    },
    async payBonus(paymentId) {
      await post('anything', `/bulk-bonus-payments/${paymentId}/pay/`)
    },
  }
}

function jsonIn(text: string): unknown {
  if (text.trim() === '') return null
  const json = readBoundedJson(text)
  if (json.kind !== 'json') throw unavailable('malformed')
  return json.value
}

type Parsed<Kind extends keyof typeof parsers> = Extract<
  ReturnType<(typeof parsers)[Kind]['parse']>,
  { ok: true }
>['value']

function parsed<Kind extends keyof typeof parsers>(kind: Kind, value: unknown): Parsed<Kind> {
  const result = parsers[kind].parse(value)
  if (!result.ok) throw unavailable('malformed')
  return result.value as Parsed<Kind>
}

const unavailable = (reason: 'timeout' | 'rate_limited' | 'failed' | 'malformed'): AppError =>
  new AppError('PROLIFIC_UNAVAILABLE', { reason })

const maxWords = 300

/** What Prolific says, without the token and the person that it is about, should it repeat those. */
function refused(status: number, text: string, hidden: ReadonlySet<string>): AppError {
  let message = text
  for (const word of hidden) message = message.replaceAll(word, '…')
  message = message.replaceAll(/[^\P{C}\n]/gu, ' ').toWellFormed()
  return new AppError('PROLIFIC_REFUSED', { status, message: message.slice(0, maxWords) })
}
