import type { ChatMessage, ChatTool } from '@atrium/agent-protocol'
import { limits, type StudyDraft } from '@atrium/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { DefinitionChecks } from '../../experiments/index.ts'
import { actorOf, type Identity, signedBy } from '../../identity/index.ts'
import type { AuditEntry } from '../../operations/index.ts'
import type { ModelOutcome } from '../providers/provider.ts'
import type { OpenModel } from '../runner/ask-agent.ts'
import { draftStudy } from './draft-study.ts'

export interface StudyDraftDeps {
  /** Undefined if there is no such credential; refuses if its key cannot be decrypted. */
  openModel(credentialId: string): Promise<OpenModel | undefined>
  checks: Pick<DefinitionChecks, 'findings'>
  audit(entry: AuditEntry): Promise<void>
  clock: Clock
  onBackgroundError(error: unknown): void
  /** How long a draft may take in all; limits.studyDraft.maxMs unless a test says otherwise. */
  maxMs?: number
}

interface RunningDraft {
  /** Never rejects: what goes wrong is in the result. */
  result: Promise<StudyDraft>
  /** Nobody waits for the result any more. */
  abandon(): void
}

export interface StudyDrafts {
  /** For those who may see the credential. Ends the draft that they have begun before. */
  begin(credentialId: string, study: string, identity: Identity): Promise<RunningDraft>
  stop(): void
}

/** Studies that models draft from words. Nothing is saved: what becomes of a draft is for the researcher to say. */
export function createStudyDrafts(deps: StudyDraftDeps): StudyDrafts {
  const { openModel, checks, audit, clock, onBackgroundError, maxMs = limits.studyDraft.maxMs } = deps
  /** By actor: one at a time for each, on this instance. The limit of requests bounds the others. */
  const running = new Map<string, AbortController>()

  async function run(study: string, { model, identity, stop }: Run): Promise<StudyDraft> {
    const spent = { requests: 0, promptTokens: 0, completionTokens: 0 }
    async function ask(messages: ChatMessage[], tool: ChatTool): Promise<ModelOutcome> {
      spent.requests++
      const question = {
        model: model.model,
        messages,
        tool,
        sampling: { maxTokens: limits.studyDraft.replyTokens },
      }
      const outcome = await askUntil(stop.signal, () =>
        model.provider.ask(question, { timeoutMs: maxMs, signal: stop.signal }),
      )
      spent.promptTokens += outcome.usage?.promptTokens ?? 0
      spent.completionTokens += outcome.usage?.completionTokens ?? 0
      return outcome
    }
    const check = (definition: unknown) => checks.findings(definition, identity, null)
    const result = await draftStudy(study, { ask, check }).catch((error: unknown): StudyDraft => {
      // Too much to check at once, for example; everything else is ours to fix.
      if (!(error instanceof AppError)) onBackgroundError(error)
      return {
        kind: 'failed',
        message: error instanceof AppError ? error.message : 'The draft could not be finished. Try again.',
      }
    })
    // What was written is the researcher's own, and in no log.
    await audit({
      at: clock.now(),
      actor: signedBy(identity),
      action: 'study_drafted',
      subject: model.credentialId,
      details: { model: model.model, outcome: outcomeOf(result, stop.signal), ...spent },
    }).catch(onBackgroundError)
    return result
  }

  return {
    async begin(credentialId, study, identity) {
      const model = await openModel(credentialId)
      if (!model) throw new AppError('CREDENTIAL_NOT_FOUND')
      const actor = actorOf(identity)
      // The connection of a cancelled one may still look open.
      running.get(actor)?.abort('another one was begun')
      const stop = new AbortController()
      running.set(actor, stop)
      const limit = setTimeout(() => stop.abort('it took too long'), maxMs)
      const result = run(study, { model, identity, stop }).finally(() => {
        clearTimeout(limit)
        if (running.get(actor) === stop) running.delete(actor)
      })
      return { result, abandon: () => stop.abort(abandoned) }
    },
    stop() {
      for (const draft of running.values()) draft.abort('the server is being stopped')
    },
  }
}

interface Run {
  model: OpenModel
  identity: Identity
  stop: AbortController
}

const abandoned = 'nobody waits for it any more'

async function askUntil(signal: AbortSignal, ask: () => Promise<ModelOutcome>): Promise<ModelOutcome> {
  try {
    return await ask()
  } catch (error) {
    if (!signal.aborted) throw error
    return { kind: 'failed', reason: 'timeout', message: `The draft was ended, because ${signal.reason}.` }
  }
}

function outcomeOf(result: StudyDraft, { aborted, reason }: AbortSignal): string {
  if (aborted && reason === abandoned) return 'cancelled'
  if (result.kind === 'failed') return 'failed'
  return result.isValid ? 'valid' : 'with_problems'
}
