import {
  ChangedCredential,
  customProvider,
  modelTimeoutMs,
  NewCredential,
  type Parser,
  parseModelBaseUrl,
  parserFor,
  type ValidationIssue,
} from '@atrium/contract'
import { validationFailed } from '../../../kernel/app-error.ts'

const forms = { new: parserFor(NewCredential), changed: parserFor(ChangedCredential) }

/** What a credential says apart from its key, with everything filled in. */
export interface CredentialSettings {
  name: string
  baseUrl: string
  model: string
  timeoutMs: number
}

export function parseNewCredential(body: unknown): CredentialSettings & { apiKey: string } {
  const parsed = parse(forms.new, body)
  return { ...settingsOf(parsed), apiKey: parsed.apiKey }
}

export function parseChangedCredential(body: unknown): CredentialSettings & { apiKey: string | undefined } {
  const parsed = parse(forms.changed, body)
  return { ...settingsOf(parsed), apiKey: parsed.apiKey }
}

function settingsOf({ name, baseUrl, model, timeoutMs }: ChangedCredential): CredentialSettings {
  const address = parseModelBaseUrl(baseUrl)
  if (address.kind === 'invalid') throw validationFailed([{ path: '/baseUrl', message: address.because }])
  return { name, baseUrl: address.url, model, timeoutMs: timeoutMs ?? modelTimeoutMs.default }
}

function parse<Value>(form: Parser<Value>, body: unknown): Value {
  const parsed = form.parse(body)
  if (parsed.ok) return parsed.value
  // A value may break several rules that now have the same explanation.
  const issues = new Map(parsed.issues.map(explained).map((issue) => [issue.path + issue.message, issue]))
  throw validationFailed([...issues.values()])
}

/** R42: people who know other platforms look for their provider, and leave out the model. */
const explanations: Record<string, string> = {
  '/provider': `must be ‘${customProvider}’, which means any server with an API like OpenAI’s; no other provider is available`,
  '/model': 'is required for a custom endpoint: the name of the model that the server is asked for',
}

function explained(issue: ValidationIssue): ValidationIssue {
  const explanation = explanations[issue.path]
  const isMeant = issue.path === '/provider' || issue.message === 'is missing'
  return explanation !== undefined && isMeant ? { ...issue, message: explanation } : issue
}
