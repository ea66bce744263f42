import {
  type ChangedCredential,
  type Credential,
  customProvider,
  modelTimeoutMs,
  parseModelBaseUrl,
} from '@atrium/contract'
import { texts } from '../../../text/console.ts'
import { asSentence, refusedPlaces } from '../../feedback/findings.ts'

export interface CredentialForm {
  name: string
  baseUrl: string
  apiKey: string
  model: string
  /** As it was typed. */
  timeoutSeconds: string | number
}

export type FormProblems = Partial<Record<keyof CredentialForm, string>>

/** The fields in their order on the page, and what the contract calls them. */
const credentialFields = {
  name: '/name',
  baseUrl: '/baseUrl',
  apiKey: '/apiKey',
  model: '/model',
  timeoutSeconds: '/timeoutMs',
} as const satisfies Record<keyof CredentialForm, string>

const fieldNames = Object.keys(credentialFields) as (keyof CredentialForm)[]

export const formFor = (credential: Credential | undefined): CredentialForm => ({
  name: credential?.name ?? '',
  baseUrl: credential?.baseUrl ?? '',
  apiKey: '',
  model: credential?.model ?? '',
  timeoutSeconds: (credential?.timeoutMs ?? modelTimeoutMs.default) / 1_000,
})

/** Whether the address is on another server than before, to which the key must not go unasked. */
export function isOtherServer(baseUrl: string, credential: Credential | undefined): boolean {
  const parsed = parseModelBaseUrl(baseUrl.trim())
  return (
    credential !== undefined &&
    parsed.kind === 'valid' &&
    new URL(parsed.url).origin !== new URL(credential.baseUrl).origin
  )
}

export type CheckedForm =
  | { kind: 'valid'; body: ChangedCredential }
  | { kind: 'invalid'; problems: FormProblems }

/** What can be found without the server; it checks everything again. */
export function checkForm(form: CredentialForm, credential: Credential | undefined): CheckedForm {
  const { problems: text } = texts().credentialForm
  const [name, baseUrl, model] = [form.name.trim(), form.baseUrl.trim(), form.model.trim()]
  const apiKey = form.apiKey.trim()
  const timeoutMs = Math.round(Number(form.timeoutSeconds) * 1_000)
  const address = parseModelBaseUrl(baseUrl)
  const needsKey = credential === undefined || !credential.isKeyReadable || isOtherServer(baseUrl, credential)
  const isTimeout = timeoutMs >= modelTimeoutMs.min && timeoutMs <= modelTimeoutMs.max
  const problems: FormProblems = {
    ...(name === '' && { name: text.name }),
    ...(address.kind === 'invalid' && {
      baseUrl: baseUrl === '' ? text.baseUrl : asSentence(address.because),
    }),
    ...(apiKey === '' && needsKey && { apiKey: text.apiKey }),
    ...(model === '' && { model: text.model }),
    ...(!isTimeout && {
      timeoutSeconds: text.timeout(modelTimeoutMs.min / 1_000, modelTimeoutMs.max / 1_000),
    }),
  }
  if (Object.keys(problems).length > 0) return { kind: 'invalid', problems }
  return {
    kind: 'valid',
    body: { name, provider: customProvider, baseUrl, model, timeoutMs, ...(apiKey !== '' && { apiKey }) },
  }
}

/** What the server found wrong, by field; empty if it is about something else. */
export function problemsIn(error: Error): FormProblems {
  const issues = refusedPlaces(error)
  return Object.fromEntries(
    fieldNames.flatMap((field) => {
      const issue = issues.find(({ path }) => path === credentialFields[field])
      return issue ? [[field, asSentence(issue.message)]] : []
    }),
  )
}

export const firstProblem = (problems: FormProblems): keyof CredentialForm | undefined =>
  fieldNames.find((field) => problems[field] !== undefined)
