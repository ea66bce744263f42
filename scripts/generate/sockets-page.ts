import {
  type AsyncApiDocument,
  exampleOf,
  type MessageObject,
  type SchemaNode,
} from '../../packages/contract/src/reference/index.ts'
import { json, markdownFile, schemaTable, table } from './markdown.ts'

/** The sockets of participants, for people. */
export function socketsPage(document: AsyncApiDocument): string {
  const { components, channels, operations, info } = document
  return markdownFile([
    `# Sockets of participants, version ${info.version}`,
    `${info.description} For programs: the [AsyncAPI document](asyncapi.json), also served at \`/api/asyncapi.json\`. What comes before, the join, is in the [API](api.md); what the codes mean, in [errors](errors.md).`,
    table(
      ['Namespace', 'For', 'Actions', 'Events'],
      Object.values(channels).map(({ address, summary, messages }) => [
        `[\`${address}\`](#${address.slice(1)})`,
        summary,
        namesIn(messages)
          .filter((name) => operations[name])
          .map(code)
          .join(', '),
        namesIn(messages)
          .filter((name) => !operations[name] && !name.includes('.'))
          .map(code)
          .join(', '),
      ]),
    ),
    ...Object.entries(channels).flatMap(([channel, { address, description, messages, ...about }]) => [
      `## ${address}`,
      description,
      '### Handshake',
      json({ auth: exampleOf(document, about['x-handshake'].auth, 'request') }),
      table(
        ['Query', 'Meaning'],
        Object.entries(about['x-handshake'].query).map(([name, meaning]) => [code(name), meaning]),
      ),
      `Refused with ${codes(about['x-handshake'].refusals)}.`,
      ...namesIn(messages).flatMap((name) => {
        const message = components.messages[name]
        if (!message || name.includes('.')) return []
        const operation = operations[name] ?? operations[`${channel}.${name}`]
        const isAction = operation?.action === 'receive'
        return [
          `### ${name}`,
          `${isAction ? 'You send' : 'You receive'}. ${message.summary}`,
          ...payloadParts(document, message),
          operation?.['x-refusals'] ? `Refused with ${codes(operation['x-refusals'])}.` : '',
          isAction ? acknowledgement(components.messages[`${name}.acknowledgement`]) : '',
        ]
      }),
    ]),
    '## Data types',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [
      `### ${name}`,
      schema.description ?? '',
      schemaTable(document, schema, 'required'),
    ]),
  ])
}

/** An acknowledgement that is like that of every action is said once, at the top. */
const acknowledgement = (message: MessageObject | undefined): string =>
  message && message.payload.$ref === undefined
    ? `Acknowledged with, for example:\n\n${json(message.examples[0]?.payload)}`
    : ''

function payloadParts(document: AsyncApiDocument, { payload, examples }: MessageObject): string[] {
  const type: SchemaNode = payload
  return [
    ...(type.$ref ? [] : [schemaTable(document, type, 'required')]),
    json(examples[0]?.payload),
    type.$ref ? `Fields: [${nameOf(type.$ref)}](#${nameOf(type.$ref).toLowerCase()}).` : '',
  ]
}

const nameOf = (ref: string) => ref.split('/').at(-1) ?? ''
const namesIn = (messages: object) => Object.keys(messages)
const code = (name: string) => `\`${name}\``

const codes = (named: readonly string[]): string => named.map(code).join(', ')
