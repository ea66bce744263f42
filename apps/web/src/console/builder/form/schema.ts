import type { MediaKind } from '@atrium/contract'
import { Check } from 'typebox/schema'
import { isObject } from '../core/document.ts'

/** The part of JSON Schema that definitions are described with, and our own keywords. */
export interface Schema {
  type?: string
  title?: string
  description?: string
  default?: unknown
  /** The first is what a form begins with. */
  examples?: readonly unknown[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  patternProperties?: Readonly<Record<string, Schema>>
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minimum?: number
  maximum?: number
  pattern?: string
  'x-unit'?: string
  'x-text'?: string
  /** It may be an expression instead. */
  'x-from-value'?: true
  'x-media'?: MediaKind
  'x-media-id'?: MediaKind
}

/** What a form shows for a schema. `any` is edited as JSON. */
export type FieldKind =
  | { kind: 'text'; isLong: boolean; byLanguage: boolean }
  | { kind: 'number'; isWhole: boolean }
  | { kind: 'flag' }
  | { kind: 'choice'; options: readonly unknown[] }
  | { kind: 'set'; options: readonly unknown[] }
  | { kind: 'list'; items: Schema }
  | { kind: 'object'; properties: Readonly<Record<string, Schema>> }
  | { kind: 'record'; values: Schema }
  | { kind: 'union'; members: readonly Schema[] }
  | { kind: 'any' }

export function kindOf(schema: Schema): FieldKind {
  const { anyOf, properties, patternProperties, items } = schema
  if (schema.enum) return { kind: 'choice', options: schema.enum }
  if (schema.const !== undefined) return { kind: 'choice', options: [schema.const] }
  if (anyOf) return kindOfUnion(anyOf)
  switch (schema.type) {
    case 'string':
      return { kind: 'text', isLong: isLong(schema), byLanguage: schema['x-text'] !== undefined }
    case 'number':
    case 'integer':
      return { kind: 'number', isWhole: schema.type === 'integer' }
    case 'boolean':
      return { kind: 'flag' }
    case 'array':
      return schema.uniqueItems && items?.enum
        ? { kind: 'set', options: items.enum }
        : { kind: 'list', items: items ?? {} }
    case 'object': {
      if (properties && Object.keys(properties).length > 0) return { kind: 'object', properties }
      const [values] = Object.values(patternProperties ?? {})
      return values ? { kind: 'record', values } : { kind: 'any' }
    }
    default:
      return { kind: 'any' }
  }
}

function kindOfUnion(members: readonly Schema[]): FieldKind {
  const constants = members.map(({ const: value }) => value)
  if (constants.every((value) => value !== undefined)) return { kind: 'choice', options: constants }
  const [text, texts] = members
  // A text that participants read: one for everybody, or one for each language.
  if (members.length === 2 && text?.type === 'string' && texts?.patternProperties)
    return { kind: 'text', isLong: isLong(text), byLanguage: true }
  // Each value is a choice beside the other forms.
  const choices = (member: Schema) => member.enum?.map((value): Schema => ({ const: value })) ?? [member]
  return { kind: 'union', members: members.flatMap(choices) }
}

/** Texts that may contain line breaks; names may not. */
const isLong = ({ pattern = '' }: Schema): boolean => pattern.startsWith('^[^\\u0000')

export const isTextByLanguage = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((text) => typeof text === 'string')

/** Whether the field for a kind can show a value. What it cannot show is edited as JSON, never dropped. */
export function canShow(field: FieldKind, value: unknown): boolean {
  if (value === undefined) return true
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' || (field.byLanguage && isTextByLanguage(value))
    case 'number':
      return typeof value === 'number'
    case 'flag':
      return typeof value === 'boolean'
    case 'choice':
      return field.options.includes(value)
    case 'set':
      return Array.isArray(value) && value.every((each) => field.options.includes(each))
    case 'list':
      return Array.isArray(value)
    case 'object':
    case 'record':
      return isObject(value)
    case 'union':
      return memberOf(field.members, value) !== undefined
    case 'any':
      return true
  }
}

/** The form of a union that a value was written in, or at least begun in. */
export function memberOf(members: readonly Schema[], value: unknown): number | undefined {
  const fitting = members.findIndex((member) => Check(member as never, value))
  if (fitting >= 0) return fitting
  const named = members.findIndex((member) => namedBy(member, value))
  if (named >= 0) return named
  const alike = members.findIndex(
    (member) => member.const === undefined && !hasName(member) && canShow(kindOf(member), value),
  )
  return alike >= 0 ? alike : undefined
}

/** Objects of a union are told apart by a property with a constant value, such as `on`. */
const constantsOf = ({ properties = {} }: Schema): [string, unknown][] =>
  Object.entries(properties).flatMap(([name, { const: value }]) =>
    value === undefined ? [] : [[name, value] as [string, unknown]],
  )
const hasName = (member: Schema): boolean => constantsOf(member).length > 0

function namedBy(member: Schema, value: unknown): boolean {
  if (!isObject(value)) return false
  const constants = constantsOf(member)
  if (constants.length > 0) return constants.every(([name, constant]) => value[name] === constant)
  const { required = [] } = member
  return required.length > 0 && required.every((name) => Object.hasOwn(value, name))
}

/** The word that names a member of a union, if one of its properties does. */
export const nameOfMember = (member: Schema): string | undefined => {
  const [first] = constantsOf(member)
  const name = first?.[1] ?? member.const
  return name === undefined ? undefined : String(name)
}

/** The least that a schema asks for, to be filled in. */
export function blankOf(schema: Schema): unknown {
  const usual = schema.default ?? schema.examples?.[0]
  if (usual !== undefined) return usual
  const field = kindOf(schema)
  switch (field.kind) {
    case 'text':
      return ''
    case 'number':
      return Math.max(schema.minimum ?? 0, 0)
    case 'flag':
      return false
    case 'choice':
      return field.options[0]
    case 'set':
      return []
    case 'list':
      return Array.from({ length: schema.minItems ?? 0 }, () => blankOf(field.items))
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, blankOf(field.properties[name] ?? {})]),
      )
    case 'record':
      return {}
    case 'union':
      return blankOf(field.members[0] ?? {})
    case 'any':
      return null
  }
}

/** `groupSize` → “Group size”; a unit at the end of a name is shown beside the number instead. */
export function labelOf(name: string, { title }: Schema): string {
  if (title !== undefined) return title
  const words = name
    .replace(/Ms$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const isDuration = (name: string, schema: Schema): boolean =>
  schema['x-unit'] === 'ms' || /Ms$/.test(name)

export const isExpression = ({ description = '' }: Schema): boolean => description.startsWith('Expression')

/** Drawn at once, without opening anything. */
export const isSimple = (schema: Schema): boolean =>
  ['text', 'number', 'flag', 'choice', 'set'].includes(kindOf(schema).kind)
