import { type ErrorCode, errorCodes } from '../errors.ts'
import type { HttpMethod, OpenApiDocument, OperationObject, ResponseObject, SchemaNode } from './document.ts'
import { schemaRef } from './plain-schema.ts'

export interface DocumentedOperation {
  method: string
  path: string
  operation: OperationObject
}

/** The tags of the document in order, each with its operations. */
export function operationsByTag(document: OpenApiDocument) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.entries(item) as [HttpMethod, OperationObject][]).map(
      ([method, operation]): DocumentedOperation => ({ method: method.toUpperCase(), path, operation }),
    ),
  )
  return document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
}

/** `ExperimentDefinition` of `#/components/schemas/ExperimentDefinition`. */
export const refName = (schema: SchemaNode): string | undefined => schema.$ref?.slice(schemaRef('').length)

/** The names of a schema and of those it is made of, in order of first use. */
export function partsOf(document: OpenApiDocument, name: string, found: string[] = []): string[] {
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

/** A document with named schemas: OpenAPI and AsyncAPI keep them in the same place. */
export interface NamedSchemas {
  components: { schemas: Record<string, SchemaNode> }
}

export function resolveSchema(document: NamedSchemas, schema: SchemaNode): SchemaNode {
  const name = refName(schema)
  if (name === undefined) return schema
  const named = document.components.schemas[name]
  if (!named) throw new Error(`The document has no schema named ${name}`)
  return named
}

const callers: Record<string, string> = {
  idToken: 'anyone with an ID token (`Authorization: Bearer`)',
  session: 'a participant with a session (`X-Session-Id`)',
  researcher: 'researchers and admins (`Authorization: Bearer`)',
  admin: 'admins (`Authorization: Bearer`)',
  internal: 'functions and workers (`X-Internal-Key`)',
}

/** Who may call the operation, and with which header. */
export function callerOf({ security }: OperationObject): string {
  const [scheme, roles] = Object.entries(security[0] ?? {})[0] ?? []
  if (scheme === undefined) return 'anyone'
  const [keyAccess] = security.find((one) => one.apiKey)?.apiKey ?? []
  const keys = keyAccess ? `, or an API key with \`${keyAccess}\` access` : ''
  return (callers[roles?.[0] ?? scheme] ?? scheme) + keys
}

/** The codes of an error response; empty for a success response. */
export function errorCodesOf(response: ResponseObject): ErrorCode[] {
  const restriction = response.content?.['application/json']?.schema.allOf?.[1]?.properties
  const named = (restriction?.code ?? restriction?.error?.properties?.code)?.enum ?? []
  return errorCodes.filter((code) => named.includes(code))
}

export const isSuccess = (status: string) => Number(status) < 400
