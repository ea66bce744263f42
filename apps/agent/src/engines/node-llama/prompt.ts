import type { ChatRequest } from '@atrium/agent-protocol'
import { RequestRefused } from '../engine.ts'
import { functionsOf, historyOf } from './history.ts'
import type { ChatWrapper, Functions, HistoryItem, LlamaModel, NodeLlamaLibrary } from './library.ts'

export interface LoadedModel {
  library: NodeLlamaLibrary
  model: LlamaModel
  wrapper: ChatWrapper
}

export interface Prompt {
  history: HistoryItem[]
  functions: Functions | undefined
  /** Everything that is evaluated before the model says its first word. */
  tokens: number[]
}

/**
 * The tokens of a request, in the form that the model was trained on. If a tool must be called, the beginning of a call is
 * part of the prompt, with the name where there is only one tool.
 */
export function promptOf(loaded: LoadedModel, request: ChatRequest & { response_format?: unknown }): Prompt {
  if (request.response_format !== undefined)
    throw new RequestRefused('invalid_request', 'response_format: this engine has tools instead.')
  const history = historyOf(request.messages)
  const functions = request.tools === undefined ? undefined : functionsOf(request)
  const [onlyName, ...others] = Object.keys(functions ?? {})
  const name = others.length === 0 ? onlyName : undefined
  const tokens =
    request.tool_choice === 'required'
      ? callTokens(loaded, history, functions ?? {}, name)
      : contextOf(loaded, history, functions).tokenize(loaded.model.tokenizer)
  return { history, functions, tokens }
}

/** The prompt up to where the name of a tool begins, or, if it is given, its arguments. */
export function callTokens(
  loaded: LoadedModel,
  history: HistoryItem[],
  functions: Functions,
  name: string | undefined,
): number[] {
  const { prefix, paramsPrefix } = loaded.wrapper.settings.functions.call
  const begun = name === undefined ? [prefix] : [prefix, name, paramsPrefix]
  const text = loaded.library.LlamaText([contextOf(loaded, history, functions), ...begun])
  return text.tokenize(loaded.model.tokenizer)
}

const contextOf = ({ wrapper }: LoadedModel, history: HistoryItem[], functions: Functions | undefined) =>
  wrapper.generateContextState({
    chatHistory: history,
    ...(functions === undefined ? {} : { availableFunctions: functions, documentFunctionParams: true }),
  }).contextText
