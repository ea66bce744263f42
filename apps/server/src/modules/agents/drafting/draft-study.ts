import type { ChatMessage, ChatTool } from '@atrium/agent-protocol'
import { type DefinitionChecked, limits, type StudyDraft } from '@atrium/contract'
import type { ModelOutcome } from '../providers/provider.ts'
import { draftMessages } from './draft-prompt.ts'
import { componentChoiceTool, draftTool, readChosenTypes, readDraft } from './draft-tools.ts'

interface DraftingDeps {
  /** Never rejects: a question that is broken off is a failure as well. */
  ask(messages: ChatMessage[], tool: ChatTool): Promise<ModelOutcome>
  /** The check before saving. */
  check(definition: unknown): Promise<DefinitionChecked>
}

type Drafted = Extract<StudyDraft, { kind: 'drafted' }>
type Failed = Extract<ModelOutcome, { kind: 'failed' }>
type Refused = { path: string; message: string }[]

/** Nobody mends more at a time, and the question stays short. */
const mostRefused = 20
/** A draft that is sent back counts as prompt; a longer one leaves no room for the repaired one. */
const mostSentBack = 40_000

/**
 * Asks a model for a study in two steps: which component types, then the definition. What the check finds is sent back a few
 * times. A draft with problems is better than none: the researcher sees them in the builder.
 */
export async function draftStudy(study: string, { ask, check }: DraftingDeps): Promise<StudyDraft> {
  const chosen = await ask(draftMessages({ study }), componentChoiceTool())
  if (chosen.kind === 'failed' && !isAboutReply(chosen)) return failed(chosen.message)
  const types = readChosenTypes(chosen.kind === 'replied' ? chosen.arguments : undefined)
  const tool = draftTool(types)
  let best: Drafted | undefined
  let problem = ''
  let asked: Parameters<typeof draftMessages>[0] = { study, types }
  for (let repairs = 0; repairs <= limits.studyDraft.repairs; repairs++) {
    const outcome = await ask(draftMessages(asked), tool)
    if (outcome.kind === 'failed' && !isAboutReply(outcome)) return best ?? failed(outcome.message)
    const read = outcome.kind === 'replied' ? readDraft(outcome.arguments) : undefined
    if (!read) {
      problem = outcome.kind === 'failed' ? outcome.message : 'The model did not hand in a definition.'
      asked = { ...asked, refused: [{ path: '', message: problem }] }
      continue
    }
    const now: Drafted = { kind: 'drafted', ...read, ...(await check(read.definition)), repairs }
    if (!best?.isValid || now.isValid) best = now
    // Warnings may be meant, so they are pointed out once.
    if (now.isValid && (now.findings.length === 0 || repairs > 0)) break
    if (JSON.stringify(now.definition).length > mostSentBack) break
    asked = { study, types, previous: now.definition, refused: refusedBy(now) }
  }
  return best ?? failed(problem)
}

const refusedBy = ({ findings }: Drafted): Refused =>
  findings.slice(0, mostRefused).map(({ path, message }) => ({ path, message }))

/** The server works, so that the model may do better when it is told. */
const isAboutReply = ({ reason }: Failed): boolean => reason === 'no_tool_call' || reason === 'bad_arguments'

const failed = (message: string): StudyDraft => ({ kind: 'failed', message })
