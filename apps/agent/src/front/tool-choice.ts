import type { ChatRequest, ChatTool } from '@atrium/agent-protocol'
import { Check } from 'typebox/schema'
import { oneLine } from '../one-line.ts'
import { Refusal } from './refusal.ts'
import { schemaFault } from './schema-fault.ts'

/** OpenAI's rule for names. It also keeps them out of the syntax of grammars. */
const nameForm = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Leaves only what an engine has to know: a named choice becomes that tool alone, required, because llama-server turns a
 * named one silently into `auto`; `none` becomes a request without tools, so that no engine can call one.
 */
export function chooseTools(request: ChatRequest): ChatRequest {
  const { tools = [], tool_choice: choice = 'auto', ...rest } = request
  refuseBadTools(tools)
  if (choice === 'none' || (tools.length === 0 && choice === 'auto')) return rest
  if (tools.length === 0)
    throw new Refusal('invalid_request', 'tool_choice: is allowed only with tools.', { param: 'tool_choice' })
  if (typeof choice === 'string') return { ...rest, tools, tool_choice: choice }
  const named = tools.filter((tool) => tool.function.name === choice.function.name)
  if (named.length === 0)
    throw new Refusal(
      'invalid_request',
      `tool_choice: there is no tool “${choice.function.name.slice(0, 64)}” in tools.`,
      { param: 'tool_choice' },
    )
  return { ...rest, tools: named, tool_choice: 'required' }
}

function refuseBadTools(tools: readonly ChatTool[]): void {
  const names = new Set<string>()
  for (const [index, { function: called }] of tools.entries()) {
    const at = `tools[${index}].function`
    if (!nameForm.test(called.name))
      throw badTool(`${at}.name`, 'may only have letters, digits, underscores and dashes')
    if (names.has(called.name)) throw badTool(`${at}.name`, `“${called.name}” is there twice`)
    names.add(called.name)
    refuseBadSchema(`${at}.parameters`, called.parameters)
  }
}

function refuseBadSchema(param: string, schema: ChatTool['function']['parameters']): void {
  if (schema === undefined) return
  if (schema.type !== undefined && schema.type !== 'object')
    throw badTool(param, 'must have the type “object”')
  const fault = faultOf(schema)
  if (fault !== undefined) throw badTool(param, `is not a JSON Schema: ${oneLine(fault)}`)
}

function faultOf(schema: Record<string, unknown>): string | undefined {
  try {
    const fault = schemaFault(schema)
    if (fault === undefined) Check(schema, {})
    return fault
  } catch (error) {
    // What is left: values that no schema has, and so many references in a row that the stack ends.
    return (error as Error).message
  }
}

const badTool = (param: string, message: string): Refusal =>
  new Refusal('invalid_request', `${param}: ${message}.`, { param })
