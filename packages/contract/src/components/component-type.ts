import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ValidationIssue } from '../errors.ts'

export interface ResponseContext {
  /** Since the participant entered the state, by the server's clock. */
  elapsedMs: number
  /** 1 for the first response in this visit of the state. */
  attempt: number
}

export type Evaluation =
  /** Not accepted; nothing is recorded. */
  | { kind: 'refused'; message: string }
  | {
      kind: 'accepted'
      /** False when the participant may answer again, as after a failed check with attempts left. */
      isFinal: boolean
      /** What the participant is told; never the answer key. */
      result?: Record<string, unknown>
      score?: number
      /** The participant's experiment ends with it: NO_CONSENT, SCREENED_OUT. */
      outcome?: string
    }

/** A component as it stands in a definition: `id`, `type`, and the settings of its type. */
export type Settings = Record<string, unknown>

/** What a schema cannot say about settings. The path is relative to the component. */
export type Finding = ValidationIssue & { level: 'error' | 'warning' }

export const error = (path: string, message: string): Finding => ({ level: 'error', path, message })
export const warning = (path: string, message: string): Finding => ({ level: 'warning', path, message })

interface ComponentFacts {
  type: string
  title: string
  description: string
  place: 'state' | 'global' | 'both'
  /** `many` is a stream: it is never awaited unless the component says `required`. */
  responds: 'none' | 'once' | 'many'
  requiredByDefault: boolean
  /** One sentence for the codebook. */
  records: string
  // Paths such as `correct` or `questions/*/correct`: participants never receive what stands there.
  secret: readonly string[]
  /** For the reference, and as the start of a new component. */
  example: { settings: Settings; response?: unknown }
}

export interface ComponentType extends ComponentFacts {
  /** Known settings beside id, type, roles, states, required and saveTo; unknown ones are allowed. */
  settings: TObject
  /** Whether settings have the form of the type. */
  fits(settings: Settings): boolean
  /** The schema of a response under these settings. Not asked when `responds` is `none`. */
  response(settings: Settings): TSchema
  evaluate?(settings: Settings, value: unknown, context: ResponseContext): Evaluation
  /** False when these settings ask nothing (instructions without questions), so that nothing is awaited. */
  asks(settings: Settings): boolean
  findings(settings: Settings): Finding[]
}

/** A type in its own words: settings are typed by their schema, and what is not needed is left out. */
interface Declaration<Schema extends TObject> extends ComponentFacts {
  settings: Schema
  response?(settings: Static<Schema>): TSchema
  /** The value fits the response schema already, but its type is for the function to find out. */
  evaluate?(settings: Static<Schema>, value: unknown, context: ResponseContext): Evaluation
  asks?(settings: Static<Schema>): boolean
  findings?(settings: Static<Schema>): Finding[]
}

/**
 * Settings are parsed here and nowhere else. Settings that do not fit can only come from a revision that was
 * saved before the catalogue knew the type: they are treated as an unknown type is, so that it still runs.
 */
export function declareType<Schema extends TObject>(declared: Declaration<Schema>): ComponentType {
  const fits = compiledOnce(declared.settings)
  const parsed = <Result>(
    settings: Settings,
    use: ((settings: Static<Schema>) => Result) | undefined,
    otherwise: Result,
  ): Result => (use && fits(settings) ? use(settings) : otherwise)
  const { evaluate } = declared
  return {
    ...declared,
    fits,
    response: (settings) => parsed<TSchema>(settings, declared.response, Type.Unknown()),
    asks: (settings) => parsed(settings, declared.asks, declared.responds !== 'none'),
    findings: (settings) => parsed<Finding[]>(settings, declared.findings, []),
    ...(evaluate && {
      evaluate: (settings: Settings, value: unknown, context: ResponseContext) =>
        parsed<Evaluation>(settings, (known) => evaluate(known, value, context), {
          kind: 'accepted',
          isFinal: declared.responds === 'once',
        }),
    }),
  }
}

/**
 * Every response of a room passes here: compiled, a choice is evaluated in 12 µs instead of 265. Compiled at
 * the first use, because a browser that imports the contract needs few types or none.
 */
export function compiledOnce<Schema extends TSchema>(schema: Schema) {
  let compiled: { Check(value: unknown): boolean } | undefined
  return (value: unknown): value is Static<Schema> => {
    compiled ??= Compile(schema)
    return compiled.Check(value)
  }
}
