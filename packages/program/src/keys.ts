import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** Refuses a start; the message is a sentence that names the key. */
export class ConfigError extends Error {}

/** Runs a step of the start that depends on a key; if it fails, the error names the key (R2). */
export async function usingKey<Value>(name: string, step: () => Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    throw new ConfigError(`${name} cannot be used: ${message.replaceAll(/\s+/g, ' ').replace(/\.$/, '')}.`)
  }
}

/** One environment variable: its meaning, its values and its default. */
export interface Key {
  group: string
  schema: Type.TSchema & { description?: string; default?: unknown }
  secret?: boolean
  /** Checks what the schema cannot express. */
  accepts?: (raw: string) => boolean
  /** The default in words, if it depends on other keys. */
  fallback?: string
}

type Keys = Record<string, Key>
/** A key without a default in its schema may be undefined; nothing else may. */
export type Values<Table extends Keys> = {
  [Name in keyof Table]:
    | Type.Static<Table[Name]['schema']>
    | (Table[Name]['schema'] extends { default: unknown } ? never : undefined)
}

/** Keeps the options in the type, so that `Values` knows which schemas have a default. */
export const text = <Options extends object>(description: string, options?: Options) =>
  withOptions(Type.String({ description }), options ?? ({} as Options))
export const flag = (fallback: boolean, description: string) =>
  withOptions(Type.Boolean({ description }), { default: fallback })
export const whole = (fallback: number, minimum: number, maximum: number, description: string) =>
  withOptions(Type.Integer({ minimum, maximum, description }), { default: fallback })
/** Without a default of its own: it depends on something else, which `fallback` describes. */
export const optionalWhole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description })
export const oneOf = <Value extends string>(values: Value[], fallback: Value, description: string) =>
  withOptions(Type.Enum(values, { description }), { default: fallback })

const withOptions = <Schema extends Type.TSchema, Options extends object>(
  schema: Schema,
  options: Options,
): Schema & Options => Object.assign(schema, options)

export const port = (fallback: number, description: string) => whole(fallback, 0, 65_535, description)
export const address = (schemes: string, description: string) =>
  text(description, {
    pattern: `^(${schemes})://[^\\s]+$`,
    expected: `an address that begins with ${schemes.replace('|', ':// or ')}://`,
  })

/** Reads every key of the table, or throws one sentence that names the key that is wrong (R2). */
export function readKeys<Table extends Keys>(table: Table, env: NodeJS.ProcessEnv): Values<Table> {
  const read = Object.entries(table).map(([name, key]) => [name, readKey(name, key, env)])
  return Object.fromEntries(read) as Values<Table>
}

/** Several secrets that are valid at the same time, so that one can take over from another. The first is used. */
export type Secrets = readonly [string, ...string[]]

/** Reads a comma-separated list of secrets; undefined if there is none. */
export function secretsIn(raw: string | undefined): Secrets | undefined {
  const [first, ...others] = (raw ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return first === undefined ? undefined : [first, ...others]
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
  throw new ConfigError(
    `${name} must be ${expectation(schema)}${secret ? '' : `, but is “${withoutUserinfo(raw)}”`}.`,
  )
}

/** Addresses may hold a password. What is refused may be no address at all, so everything before an @ is left out. */
const withoutUserinfo = (raw: string): string => raw.replace(/^.*@/s, '…@')

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
