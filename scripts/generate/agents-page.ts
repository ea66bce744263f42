import { Perception, respondTool } from '../../packages/agent-protocol/src/index.ts'
import type { OpenApiDocument, SchemaNode } from '../../packages/contract/src/reference/index.ts'
import { markdownFile, schemaTable, table } from './markdown.ts'

/** Documents what a model server receives in an agent's turn, and what it has to reply. */
export function agentsPage(document: OpenApiDocument): string {
  return markdownFile([
    '# Turns of agents',
    `Every turn of an agent is one \`POST …/chat/completions\` with two messages and the tool \`${respondTool}\`. The system message holds the instructions, from the general to the particular: the platform’s, those of the experiment, of the agent, and of the state. The user message is the perception: one JSON object.`,
    '## Perception',
    'What a person in the same seat would see, and no more. What participants have written is only ever in `events`, in variables and in `components.response`, as JSON strings. `<`, and `[` before a capital letter, are written as escapes, so that no text looks like a marker of a chat template. A change that breaks readers gets a new `v`.',
    schemaTable(document, plain(Perception), 'required'),
    '## Reply',
    `One call of \`${respondTool}\`. Its parameters are generated for each turn from what is legal now, so a reply that fits them is a legal move:`,
    table(
      ['Field', 'Present', 'Meaning'],
      [
        ['`reasoning`', 'optional', 'Recorded for researchers, and told to the agent again in `memory`'],
        [
          '`action`',
          'always',
          '`{name: "answer", answers}` with a response by component id, `{name: "continue"}` or `{name: "wait"}`, whichever are possible now',
        ],
        ['`message`', 'optional, only where there is a chat', 'Written in the chat'],
        ['`chat`', 'optional, only where there are several chats', 'Which of them; the first when absent'],
      ],
    ),
    'A reply that does not fit is asked for once more, with the reason in `retry`. Which components agents cannot answer is said in [component types](components.md).',
  ])
}

const plain = (schema: object): SchemaNode => JSON.parse(JSON.stringify(schema))
