import {
  exampleOf,
  type OpenApiDocument,
  refName,
  type SchemaNode,
} from '../../packages/contract/src/index.ts'
import { json, markdownFile, schemaTable } from './markdown.ts'

const root = 'ExperimentDefinition'

/** Every field of a definition, from the whole to its parts, each part once and in the order of its first use. */
export function definitionPage(document: OpenApiDocument): string {
  const names = partsOf(document, root)
  const schemaOf = (name: string): SchemaNode => document.components.schemas[name] ?? {}
  return markdownFile([
    '# Experiment definition',
    'A definition is one JSON object: the body of `POST /api/experiments` and `PUT /api/experiments/{experimentId}`. Each change makes a new revision; participants stay on the revision they joined.',
    'The smallest definition has a name and one state. Everything else has a default: one person a room, no limit of participants, states one after the other.',
    json(exampleOf(document, schemaOf(root), 'request')),
    'Beyond the types below, ids must be unique, and states and roles that are named must exist; a definition that breaks this is refused with `VALIDATION_FAILED` and the place of each problem.',
    ...names.flatMap((name) => [
      `## ${name}`,
      `${schemaOf(name).description ?? ''}.`.replace(/^\.$/, ''),
      schemaTable(document, schemaOf(name), 'default'),
    ]),
  ])
}

function partsOf(document: OpenApiDocument, name: string, found: string[] = []): string[] {
  found.push(name)
  for (const part of refsIn(document.components.schemas[name]))
    if (!found.includes(part)) partsOf(document, part, found)
  return found
}

function refsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const own = refName(node)
  return own === undefined ? Object.values(node).flatMap(refsIn) : [own]
}
