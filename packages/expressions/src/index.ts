export { elapsedTime, expressionIssues, type Names, syntaxIssues } from './check-expression.ts'
export { draws } from './draws.ts'
export { withoutEmptyReads } from './empty-reads.ts'
export { evaluate, type Scope } from './evaluate.ts'
export { type Expression, parseExpression } from './expression.ts'
export { isOfStudy } from './of-study.ts'
export { residualOf } from './residual.ts'
export type { ResponseForms } from './response-fields.ts'
export { answersRead, type Conditional, createShown, enteredSource } from './shown.ts'
export { type FieldRead, fieldReadAt, type Source, type Sources } from './sources.ts'
export { staticTypeOf } from './static-types.ts'
export { type FactName, nodesIn, reservedNames, type SyntaxNode } from './syntax.ts'
export { fillTemplate, type Writing, writeInsert } from './texts/fill-template.ts'
export {
  hasInserts,
  type Insert,
  type ParsedTemplate,
  parseTemplate,
  type Template,
  textBeforeValues,
} from './texts/template.ts'
export { createValueFormats, formsOfLanguage, type ValueFormats } from './texts/value-format.ts'
export { createValueWriter, cutMark } from './texts/write-value.ts'
export { areEqual, isRecord, isTruthy, type Value } from './value.ts'
export { boundedWork, isSpent, spend, usualWork, type Work } from './work.ts'
