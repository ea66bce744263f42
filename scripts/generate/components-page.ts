import {
  type ComponentType,
  componentTypes,
  recordedSchemaOf,
  responseSchemaOf,
} from '../../packages/contract/src/components/index.ts'
import {
  asWritten,
  limitsOf,
  type OpenApiDocument,
  type SchemaNode,
  typeOf,
} from '../../packages/contract/src/reference/index.ts'
import { anchorOf, json, markdownFile, schemaTable, table } from './markdown.ts'

const places: Record<ComponentType['place'], string> = {
  state: 'in a state',
  global: 'in `globalComponents`',
  both: 'in a state or in `globalComponents`',
}

const rhythms: Record<ComponentType['responds'], string> = {
  none: 'none',
  once: 'once',
  many: 'any number of times',
}

/** Documents every component type: its purpose, settings, responses and records. */
export function componentsPage(document: OpenApiDocument): string {
  const types = Object.values(componentTypes)
  return markdownFile([
    '# Component types',
    'A component is something the participant sees or responds to. Besides the settings of its type, it has `id` and `type`, and may have `roles`, `required` and `saveTo` (in `globalComponents`: `states`); see [the experiment definition](experiment-definition.md#component).',
    'When a definition is saved, invalid settings are refused with their path. Unknown types and settings are kept and reported as warnings. A setting named `correct` is never sent to participants, wherever it appears.',
    'A text that participants read is a string, or a map with a string for each of the definition’s `languages`: `{"en": "Yes", "de": "Ja"}`. The same as [JSON Schema](definition.schema.json), for editors.',
    'A setting that is no text, no id and no condition may be an expression, whose value it takes for each participant: `"{{expression}}"` or `{"from": "expression"}`; of videos and sounds, only addresses may.',
    table(
      ['Type', 'Title', 'Responses', 'Required'],
      types.map((type) => [
        `[\`${type.type}\`](#${anchorOf(type.title)})`,
        type.title,
        rhythms[type.responds],
        type.requiredByDefault ? 'yes' : 'no',
      ]),
    ),
    'Required: by default, the state waits for the response. Set `required` on a component to change this.',
    ...types.flatMap((type) => typeSection(document, type)),
  ])
}

function typeSection(document: OpenApiDocument, type: ComponentType): string[] {
  const { settings, response } = type.example
  const component = { id: type.type, type: type.type, ...settings }
  const schema = responseSchemaOf(component)
  return [
    `## ${type.title}`,
    `\`${type.type}\`: ${type.description}`,
    `Goes ${places[type.place]}. Records: ${lowerFirst(type.records)}`,
    schemaTable(document, asWritten(plain(type.settings)), 'default'),
    json(component),
    ...(schema
      ? [
          `Response, ${rhythms[type.responds]}: ${inWords(plain(schema))}.`,
          schemaTable(document, plain(schema), 'required'),
          json(response),
          ...addedFields(component),
          ...(type.agentsCannot === null ? [] : [`Agents cannot respond to it: ${type.agentsCannot}.`]),
        ]
      : ['It does not accept responses.']),
  ]
}

/** Fields that are stored without being sent. */
function addedFields(component: { type: string }): string[] {
  const [sent, stored] = [responseSchemaOf(component), recordedSchemaOf(component)].map((schema) =>
    Object.entries(plain(schema ?? {}).properties ?? {}),
  )
  const added = (stored ?? []).filter(([name]) => !(sent ?? []).some(([known]) => known === name))
  if (added.length === 0) return []
  const listed = added.map(([name, { description = '' }]) => `\`${name}\` (${lowerFirst(description)})`)
  return [`The server adds to what is stored: ${listed.join(', ')}.`]
}

/** The response type for the example settings, such as `integer, 1 to 7`. */
const inWords = (node: SchemaNode) => {
  const type = typeOf(node)
    .map(({ text }) => text)
    .join('')
  return [type, limitsOf(node)].filter(Boolean).join(', ')
}

const plain = (schema: object): SchemaNode => JSON.parse(JSON.stringify(schema))

const lowerFirst = (sentence: string) => sentence.charAt(0).toLowerCase() + sentence.slice(1)
