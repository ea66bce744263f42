import {
  exampleOf,
  type OpenApiDocument,
  partsOf,
  type SchemaNode,
} from '../../packages/contract/src/reference/index.ts'
import { json, markdownFile, schemaTable } from './markdown.ts'

const root = 'ExperimentDefinition'

/** Documents every part of a definition once, in order of first use. */
export function definitionPage(document: OpenApiDocument): string {
  const names = partsOf(document, root)
  const schemaOf = (name: string): SchemaNode => document.components.schemas[name] ?? {}
  return markdownFile([
    '# Experiment definition',
    'A definition is a JSON object: the body of `POST /api/experiments` and `PUT /api/experiments/{experimentId}`. Each change creates a new revision; participants stay on the revision they joined.',
    'The smallest definition has a name and one state. By default, there is one person per room, no limit on participants, and states follow each other in order.',
    json(exampleOf(document, schemaOf(root), 'request')),
    'In addition to the types below, ids must be unique, and referenced states and roles must exist. An invalid definition is refused with `VALIDATION_FAILED` and the path of each problem.',
    ...names.flatMap((name) => [
      `## ${name}`,
      `${schemaOf(name).description ?? ''}.`.replace(/^\.$/, ''),
      schemaTable(document, schemaOf(name), 'default'),
    ]),
  ])
}
