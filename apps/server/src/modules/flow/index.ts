export { balanceNotes } from './checks/balance-notes.ts'
export { checkFlow } from './checks/check-flow.ts'
export { evaluate, type Scope } from './expressions/evaluate.ts'
export { type Expression, parseExpression } from './expressions/expression.ts'
export { type FactName, nodesIn } from './expressions/syntax.ts'
export { areEqual, isTruthy, type Value } from './expressions/value.ts'
export { boundedWork, isSpent, spend, usualWork, type Work } from './expressions/work.ts'
export type { Assignment, Rows } from './path/assignment.ts'
export { assignCondition } from './path/conditions.ts'
export { nextPosition, pacingOf, planSteps, type Step } from './path/plan.ts'
export { random } from './path/random.ts'
export { fillTemplate, type Writing, writeInsert } from './texts/fill-template.ts'
export {
  hasInserts,
  type Insert,
  membersRead,
  parseTemplate,
  type Template,
  textBeforeValues,
} from './texts/template.ts'
export { createValueFormats, type ValueFormats } from './texts/value-format.ts'
export { createValueWriter, cutMark } from './texts/write-value.ts'
