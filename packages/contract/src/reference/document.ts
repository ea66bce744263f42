/** The part of OpenAPI 3.1 that the reference uses. Schemas are plain JSON, without TypeBox objects. */
export interface SchemaNode {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  /** The unit of a number; our own annotation. */
  'x-unit'?: string
  /** How a text that participants read is shown; our own annotation. */
  'x-text'?: string
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: SchemaNode
  properties?: Record<string, SchemaNode>
  patternProperties?: Record<string, SchemaNode>
  additionalProperties?: boolean | SchemaNode
  required?: string[]
  anyOf?: SchemaNode[]
  allOf?: SchemaNode[]
  if?: SchemaNode
  then?: SchemaNode
}

export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: SchemaNode
}

interface HeaderObject {
  description: string
  schema: SchemaNode
}

export interface ResponseObject {
  description: string
  headers: Record<string, { $ref: string }>
  content?: Record<string, { schema: SchemaNode }>
}

export interface OperationObject {
  operationId: string
  tags: [string]
  summary: string
  description?: string
  /** Empty if anyone may call. The strings are the roles that the credential must grant. */
  security: Record<string, string[]>[]
  parameters?: ParameterObject[]
  requestBody?: { required: true; content: Record<string, { schema: SchemaNode }> }
  responses: Record<string, ResponseObject>
}

export type HttpMethod = 'get' | 'post' | 'put' | 'delete'
export type PathItem = Partial<Record<HttpMethod, OperationObject>>

type SecurityScheme = { description: string } & (
  | { type: 'http'; scheme: 'bearer'; bearerFormat: string }
  | { type: 'apiKey'; in: 'header'; name: string }
)

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: {
    title: string
    version: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  components: {
    schemas: Record<string, SchemaNode>
    headers: Record<string, HeaderObject>
    securitySchemes: Record<string, SecurityScheme>
  }
}
