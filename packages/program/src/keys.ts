import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ConfigError } from './config-error.ts'

/** One environment variable: what it means, what it may be. */
export interface Key {
  group: string
  schema: Type.TSchema & { description?: string; default?: unknown }
  secret?: boolean
  /** What the schema cannot say. */
  accepts?: (raw: string) => boolean
  /** The default in words, where it depends on other keys. */
  fallback?: string
}

type Keys = Record<string, Key>
export type Values<Table extends Keys> = {
  [Name in keyof Table]: Type.Static<Table[Name]['schema']> | undefined
}

export const text = (description: string, more: object = {}) => Type.String({ description, ...more })
export const flag = (fallback: boolean, description: string) =>
  Type.Boolean({ default: fallback, description })
export const whole = (fallback: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: fallback, minimum, maximum, description })
export const port = (fallback: number, description: string) => whole(fallback, 0, 65_535, description)
export const address = (schemes: string, description: string) =>
  text(description, {
    pattern: `^(${schemes})://[^\\s]+$`,
    expected: `an address that begins with ${schemes.replace('|', ':// or ')}://`,
  })

/** Every value of the table, or the one sentence that says which key is wrong (R2). */
export function readKeys<Table extends Keys>(table: Table, env: NodeJS.ProcessEnv): Values<Table> {
  const read = Object.entries(table).map(([name, key]) => [name, readKey(name, key, env)])
  return Object.fromEntries(read) as Values<Table>
}

/** For the reference page. */
export const describeKeys = (table: Keys) =>
  Object.entries(table).map(([name, key]) => ({
    name,
    group: key.group,
    description: key.schema.description ?? '',
    default: key.schema.default === undefined ? null : String(key.schema.default),
    fallback: key.fallback ?? null,
    secret: key.secret ?? false,
  }))

function readKey(name: string, { schema, secret, accepts }: Key, env: NodeJS.ProcessEnv): unknown {
  const raw = env[name]?.trim()
  if (raw === undefined || raw === '') return schema.default
  const kind = (schema as { type?: string }).type
  const value =
    kind === 'integer' && /^-?\d+$/.test(raw) ? Number(raw) : kind === 'boolean' ? asFlag(raw) : raw
  if (Value.Check(schema, value) && (accepts === undefined || accepts(raw))) return value
  throw new ConfigError(`${name} must be ${expectation(schema)}${secret ? '' : `, but is “${raw}”`}.`)
}

const asFlag = (raw: string): unknown =>
  /^(true|1)$/i.test(raw) ? true : /^(false|0)$/i.test(raw) ? false : raw

function expectation(schema: Type.TSchema): string {
  const known = schema as {
    expected?: string
    type?: string
    minimum?: number
    maximum?: number
    enum?: string[]
  }
  if (known.expected) return known.expected
  if (known.type === 'integer') return `a whole number from ${known.minimum} to ${known.maximum}`
  if (known.type === 'boolean') return 'true or false'
  return known.enum ? `one of ${known.enum.join(', ')}` : 'a text'
}
