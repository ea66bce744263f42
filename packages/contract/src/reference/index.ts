export { asWritten } from './as-written.ts'
export { type AsyncApiDocument, buildAsyncApi, type MessageObject } from './asyncapi.ts'
export { definitionSchema } from './definition-schema.ts'
export type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
  SchemaNode,
} from './document.ts'
export { errorGuide } from './error-guide.ts'
export { exampleOf } from './example.ts'
export { type Field, fieldsOf, limitsOf, type TypePart, typeOf } from './fields.ts'
export { buildOpenApi } from './openapi.ts'
export {
  callerOf,
  type DocumentedOperation,
  errorCodesOf,
  isSuccess,
  type NamedSchemas,
  operationsByTag,
  partsOf,
  refName,
} from './reading.ts'
