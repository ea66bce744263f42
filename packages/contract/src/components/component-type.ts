import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ValidationIssue } from '../errors.ts'
import { type Filled, fillerFor, type Received, receivedSchemaOf, secretPathsIn } from './received.ts'
import { type Simulated, type SimulatedType, simulatedType } from './simulated.ts'

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

/** A component as it is written in a definition: `id`, `type`, and the settings of its type. */
export type Settings = Record<string, unknown>

/** What a schema cannot say about settings. The path is relative to the component. */
export type Finding = ValidationIssue & { level: 'error' | 'warning' }

export const error = (path: string, message: string): Finding => ({ level: 'error', path, message })
export const warning = (path: string, message: string): Finding => ({ level: 'warning', path, message })

interface ComponentFacts {
  title: string
  description: string
  place: 'state' | 'global' | 'both'
  /** `many` is a stream: it is never awaited unless the component says `required`. */
  responds: 'none' | 'once' | 'many'
  requiredByDefault: boolean
  /** One sentence for the codebook. */
  records: string
  /** For the reference, and as the start of a new component. */
  example: { settings: Settings; response?: unknown }
}

/** What most types are not; a declaration names only what it is. */
interface Traits {
  /**
   * What sends a response: the page's button, together with the other forms of the state; a button of the component's
   * own; or the component itself, when something has happened.
   */
  sentBy: 'page_button' | 'own_button' | 'itself'
  /** As a global component it is shown in the bar above the state, not beside it. */
  isInBar: boolean
  /** It plays something: its end is a response that a state can end with, and ratings can refer to it. */
  isMedia: boolean
  /** It takes messages (`send_message`) of up to `maxLength` characters. */
  takesMessages: boolean
  /**
   * A wrong answer may be tried again. Responses are `{answers}` by question, and results `{passed, attemptsLeft,
   * wrong}`.
   */
  isCheck: boolean
  /** The setting that names the variable it shows; the component's id stands in for it when that is absent. */
  variableSetting: string | null
}

const usualTraits: Traits = {
  sentBy: 'itself',
  isInBar: false,
  isMedia: false,
  takesMessages: false,
  isCheck: false,
  variableSetting: null,
}

export interface ComponentType<Name extends string = string, Schema extends TObject = TObject>
  extends ComponentFacts,
    Traits {
  type: Name
  /** Known settings beside id, type, roles, states, required and saveTo; unknown ones are allowed. */
  settings: Schema
  /** Paths to settings that participants never receive. */
  secret: readonly string[]
  /** Whether settings have the form of the type. */
  fits(settings: Settings): boolean
  /** Settings as participants receive them, with defaults filled in; undefined when they do not fit. */
  read(settings: Settings): Received<Schema> | undefined
  /** The schema of a response under these settings, which need no secrets. Not asked when `responds` is `none`. */
  response(settings: Settings): TSchema
  evaluate?(settings: Settings, value: unknown, context: ResponseContext): Evaluation
  /** False when these settings ask nothing (instructions without questions), so that nothing is awaited. */
  asks(settings: Settings): boolean
  findings(settings: Settings): Finding[]
  simulated: SimulatedType
}

/** A component type as its declaration writes it: settings are typed by their schema, and what is usual is left out. */
interface Declaration<Name extends string, Schema extends TObject> extends ComponentFacts, Partial<Traits> {
  type: Name
  settings: Schema
  response?(settings: Received<Schema>): TSchema
  /** The value fits the response schema already, but its type is for the function to find out. */
  evaluate?(settings: Filled<Schema>, value: unknown, context: ResponseContext): Evaluation
  asks?(settings: Received<Schema>): boolean
  /** `written` tells a default from the same value written down. */
  findings?(settings: Filled<Schema>, written: Static<Schema>): Finding[]
  /** How simulated participants treat it, where a draw from the response schema is not enough. */
  simulated?: Simulated<Received<Schema>>
}

/**
 * Settings are parsed here and nowhere else. Settings that do not fit can only come from a revision that was saved
 * before the catalogue knew the type: the component is then treated as one of an unknown type, so that it still runs.
 */
export function declareType<const Name extends string, Schema extends TObject>(
  declared: Declaration<Name, Schema>,
): ComponentType<Name, Schema> {
  const { settings: schema, responds, response, evaluate, asks, findings } = declared
  const secret = secretPathsIn(schema)
  const fits = compiledOnce(schema)
  const received = receivedSchemaOf(schema)
  // What fits with its secrets fits without them, too.
  const fitsReceived = secret.length === 0 ? fits : compiledOnce(received)
  // The fillers know the schema, but TypeScript cannot follow it through a record.
  const fill = fillerFor(schema) as (settings: Settings) => Filled<Schema>
  const fillReceived = fillerFor(received) as (settings: Settings) => Received<Schema>
  const read = (settings: Settings) => (fitsReceived(settings) ? fillReceived(settings) : undefined)
  const accepted: Evaluation = { kind: 'accepted', isFinal: responds === 'once' }
  return {
    ...usualTraits,
    ...declared,
    secret,
    fits,
    read,
    response(settings) {
      const known = response && read(settings)
      return known ? response(known) : Type.Unknown()
    },
    asks(settings) {
      const known = asks && read(settings)
      return known ? asks(known) : responds !== 'none'
    },
    findings: (settings) => (findings && fits(settings) ? findings(fill(settings), settings) : []),
    ...(evaluate && {
      evaluate: (settings: Settings, value: unknown, context: ResponseContext) =>
        fits(settings) ? evaluate(fill(settings), value, context) : accepted,
    }),
    simulated: simulatedType(declared.simulated ?? {}, read),
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
