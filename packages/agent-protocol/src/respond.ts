import type { ComponentView } from '@atrium/contract'
import { componentTypeOf, isForEach } from '@atrium/contract/components'
import { cutText } from './agent-text.ts'
import { type ChatTool, respondTool } from './model-server.ts'
import type { AgentMoves, AgentReply, AnswerMove } from './moves.ts'
import { type JsonSchema, longestOfferedText, plainParameters } from './plain-parameters.ts'

type AgentActionName = AgentReply['action']['name']

/** An action that is legal now, with the parameters that it takes beside its name. */
export interface AgentAction {
  name: AgentActionName
  description: string
  parameters: JsonSchema
}

export const longestReasoning = longestOfferedText
const longestDescription = 500

/** Never empty: an agent that can do nothing else can wait. */
export function agentActionsOf(moves: AgentMoves): AgentAction[] {
  const { answers, canContinue, canWait } = moves
  const isOpen = answers.some(({ isRequired }) => isRequired)
  const actions: AgentAction[] = []
  if (answers.length > 0)
    actions.push({
      name: 'answer',
      description: isOpen
        ? 'Answer components: all that are required, and as many of the others as you like.'
        : 'Answer one or more components. None of them is required.',
      parameters: closedObject({ answers: answersSchema(answers) }, ['answers']),
    })
  if (canContinue && !isOpen)
    actions.push({
      name: 'continue',
      description: 'Leave this state and go on to the next one.',
      parameters: closedObject({}, []),
    })
  if (canWait || actions.length === 0)
    actions.push({
      name: 'wait',
      description: 'Do nothing else for now. You are asked again when something happens.',
      parameters: closedObject({}, []),
    })
  return actions
}

/**
 * R34: the tool that an agent has to call, generated from what it may do now, so that a reply which fits the schema is
 * a legal move. It depends on the definition and the moves only: nothing that people have written is in it.
 */
export function respondToolFor(moves: AgentMoves): ChatTool {
  const forms = agentActionsOf(moves).map(actionSchema)
  const [only] = forms
  const parameters = closedObject(
    {
      reasoning: {
        type: 'string',
        maxLength: longestReasoning,
        description: 'Your thoughts, in a few words. Nobody who takes part sees them.',
      },
      action:
        forms.length === 1 && only ? only : { description: 'Exactly one of these actions.', anyOf: forms },
      ...messageSchemas(moves),
    },
    ['action'],
  )
  return {
    type: 'function',
    function: { name: respondTool, description: 'Act in the current state of the experiment.', parameters },
  }
}

function actionSchema({ name, description, parameters }: AgentAction): JsonSchema {
  const { properties, required } = parameters as ReturnType<typeof closedObject>
  return {
    description,
    ...closedObject({ name: { type: 'string', const: name }, ...properties }, ['name', ...required]),
  }
}

/** Names come from the definition, so nothing may be assigned by name: `__proto__` is a valid component id. */
const closedObject = (properties: Record<string, JsonSchema>, required: string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

function answersSchema(answers: readonly AnswerMove[]): JsonSchema {
  const properties = answers.map(({ component, schema, isRequired }) => [
    component.id,
    { ...plainParameters(schema), description: describe(component, isRequired) },
  ])
  const required = answers.filter(({ isRequired }) => isRequired).map(({ component }) => component.id)
  return {
    description: 'Component id → response.',
    ...closedObject(Object.fromEntries(properties), required),
    ...(required.length === 0 && { minProperties: 1 }),
  }
}

/** The fields in which types say what they ask, best first. */
const asking = ['label', 'text', 'help']

function describe(component: ComponentView, isRequired: boolean): string {
  const asked = asking.map((name) => component[name]).find((text) => typeof text === 'string' && text !== '')
  const { title } = componentTypeOf(component.type)
  const each = isForEach(component) ? ', once for each of the others, by alias' : ''
  const what = `${title}${each}${typeof asked === 'string' ? `: ${asked}` : ''}`
  return `${isRequired ? 'Required' : 'Optional'}. ${cutText(what, longestDescription)}`
}

function messageSchemas({ chats }: AgentMoves): Record<string, JsonSchema> {
  if (chats.length === 0) return {}
  const longest = Math.min(longestOfferedText, ...chats.map(({ maxLength }) => maxLength))
  return {
    message: {
      type: 'string',
      minLength: 1,
      maxLength: longest,
      description: 'A message for the chat. Leave it out to say nothing.',
    },
    ...(chats.length > 1 && {
      chat: {
        type: 'string',
        enum: chats.map(({ componentId }) => componentId),
        description: 'The chat that the message is for; the first one when absent.',
      },
    }),
  }
}
