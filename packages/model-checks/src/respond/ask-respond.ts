import { type ChatRequest, modelServerPaths } from '@atrium/agent-protocol'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { askForJson } from '../endpoint/read-json.ts'
import { type CallOrProblem, type Completion, readCall, readCompletion } from './read-call.ts'

export type RespondResult =
  /** HTTP went well; whether the model did is in `call`. */
  | { kind: 'completed'; call: CallOrProblem; completion: Completion | undefined; latencyMs: number }
  | { kind: 'problem'; message: string; status?: number; timedOut?: true }

export async function askRespond(
  endpoint: Endpoint,
  request: ChatRequest,
  toolName?: string,
): Promise<RespondResult> {
  const question = { path: modelServerPaths.chatCompletions, key: endpoint.apiKey, body: request }
  const answer = await askForJson(endpoint, question, 'chat/completions')
  if (answer.kind === 'problem') {
    // What to do about the key is the same wherever it is refused.
    return answer.status === 401 || answer.status === 403
      ? { ...answer, message: keyRejected(answer.status) }
      : answer
  }
  const completion = readCompletion(answer.value)
  return {
    kind: 'completed',
    call: readCall(completion, endpoint.apiKey, toolName),
    completion,
    latencyMs: answer.latencyMs,
  }
}

export const keyRejected = (status: number): string =>
  `endpoint rejected the API key (${status}). Give the key that the model server was started with; \`atrium-agent serve\` prints it.`
