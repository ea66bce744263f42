/** A value that this page does not know how to show. */
export const misfit = Symbol('misfit')

/** Reads one setting as it came over the network. An absent one is read too: the reader knows the default. */
export type Reader<Value> = (value: unknown) => Value | typeof misfit

export type ReadBy<SomeReader> =
  SomeReader extends Reader<infer Value> ? Exclude<Value, typeof misfit> : never

export const text: Reader<string | undefined> = (value) =>
  value === undefined || typeof value === 'string' ? value : misfit

export const requiredText: Reader<string> = (value) => (typeof value === 'string' ? value : misfit)

export const number: Reader<number | undefined> = (value) =>
  value === undefined || (typeof value === 'number' && Number.isFinite(value)) ? value : misfit

export const boolean: Reader<boolean | undefined> = (value) =>
  value === undefined || typeof value === 'boolean' ? value : misfit

export function withDefault<Value>(
  reader: Reader<Value>,
  whenAbsent: NonNullable<Value>,
): Reader<NonNullable<Value>> {
  return (value) => {
    const read = reader(value)
    return read === misfit ? misfit : (read ?? whenAbsent)
  }
}

export const flag = withDefault(boolean, false)

/** The first name is what an absent setting means. */
export const oneOf =
  <const Name extends string>(names: readonly [Name, ...Name[]]): Reader<Name> =>
  (value) =>
    value === undefined ? names[0] : (names.find((name) => name === value) ?? misfit)

export function listOf<Value>(reader: Reader<Value>): Reader<Value[]> {
  return (value) => {
    if (!Array.isArray(value)) return misfit
    const read: Value[] = []
    for (const each of value) {
      const entry = reader(each)
      if (entry === misfit) return misfit
      read.push(entry)
    }
    return read
  }
}

export const optional =
  <Value>(reader: Reader<Value>): Reader<Value | undefined> =>
  (value) =>
    value === undefined ? undefined : reader(value)

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const record: Reader<Record<string, unknown>> = (value) => (isRecord(value) ? value : misfit)

type Fields = Record<string, Reader<unknown>>
type FieldsRead<Known extends Fields> = { [Name in keyof Known]: ReadBy<Known[Name]> }

/** An object with these fields; others are left alone. `names` lets a test hold them to the contract. */
export function fields<Known extends Fields>(
  known: Known,
): Reader<FieldsRead<Known>> & { names: readonly string[] } {
  const names = Object.keys(known)
  const read: Reader<FieldsRead<Known>> = (value) => {
    if (!isRecord(value)) return misfit
    const entries = names.map((name) => [name, known[name]?.(value[name])] as const)
    // Every field was read by its own reader, which TypeScript cannot follow through a list of entries.
    return entries.some(([, each]) => each === misfit)
      ? misfit
      : (Object.fromEntries(entries) as FieldsRead<Known>)
  }
  return Object.assign(read, { names })
}
