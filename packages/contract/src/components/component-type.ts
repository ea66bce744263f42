import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { compiledOnce } from '../compiled-once.ts'
import type { ValidationIssue } from '../errors.ts'
import { type MediaField, mediaFieldsIn } from './media-fields.ts'
import type { Suggest } from './nearest.ts'
import { type Filled, fillerFor, type Received, receivedSchemaOf, secretPathsIn } from './received.ts'
import { type Simulated, type SimulatedType, simulatedType } from './simulated.ts'

export interface ResponseContext {
  /** Time since the participant entered the state, by the server's clock. */
  elapsedMs: number
  /** 1 for the first response during this visit to the state. */
  attempt: number
}

export type Evaluation =
  /** Not accepted; nothing is recorded. */
  | { kind: 'refused'; message: string }
  | {
      kind: 'accepted'
      /** False if the participant can answer again, as after a failed check with attempts left. */
      isFinal: boolean
      /** What is stored in place of the response, where the server adds to it. Participants still see what they sent. */
      recorded?: unknown
      /** Shown to the participant; never contains the answer key. */
      result?: Record<string, unknown>
      score?: number
      /** Ends the experiment for the participant: NO_CONSENT, SCREENED_OUT. */
      outcome?: string
    }

/** A component as written in a definition: `id`, `type`, and the settings of its type. */
export type Settings = Record<string, unknown>

/** A problem with settings that a schema cannot express. The path is relative to the component. */
export type Finding = ValidationIssue & { level: 'error' | 'warning' }

export const error = (path: string, message: string): Finding => ({ level: 'error', path, message })
export const warning = (path: string, message: string): Finding => ({ level: 'warning', path, message })

interface ComponentFacts {
  title: string
  description: string
  place: 'state' | 'global' | 'both'
  /** `many` is a stream, which a state waits for only if the component is `required`. */
  responds: 'none' | 'once' | 'many'
  requiredByDefault: boolean
  /** One sentence for the codebook. */
  records: string
  /** For the reference, and as a template for new components. */
  example: { settings: Settings; response?: unknown }
}

/** Traits that most types lack; a declaration lists only those it has. */
interface Traits {
  /**
   * What sends a response: the page's button, together with the other forms of the state; the component's own button; or
   * the component itself, when something happens.
   */
  sentBy: 'page_button' | 'own_button' | 'itself'
  /** As a global component, it is shown in the bar above the state. */
  isInBar: boolean
  /** What the frame of the page would show as well, and leaves out where this component is shown; null for most. */
  insteadOfFrame(settings: Settings): 'clock' | 'progress' | null
  /** What it plays, if anything. Its end is a response that can end a state, and ratings can refer to it. */
  plays: 'video' | 'audio' | null
  /** Its answer lists trials, which have rows of their own in exports: reactions to stimuli, or a timeline of plugins. */
  runs: 'reactions' | 'timeline' | null
  /** It takes messages (`send_message`) of up to `maxLength` characters. */
  takesMessages: boolean
  /**
   * Wrong answers can be corrected. Responses are `{answers}` by question, and results are `{passed, attemptsLeft,
   * wrong}`.
   */
  isCheck: boolean
  /** The setting that names the variable it shows. If absent, the component's id names it. */
  variableSetting: string | null
  /** Its answer is the consent to take part. */
  asksForConsent: boolean
  /** Responses name a file that was uploaded before, as `{fileId, size}`; the server looks for it before it accepts them. */
  takesFile: boolean
  /** R67: it cannot be answered without its pictures, so that whoever does not get them may go on without an answer. */
  needsPictures: boolean
  /** Why agents cannot respond to it, as the second half of a sentence; null if they can. */
  agentsCannot: string | null
}

const usualTraits: Traits = {
  sentBy: 'itself',
  isInBar: false,
  insteadOfFrame: () => null,
  plays: null,
  runs: null,
  takesMessages: false,
  isCheck: false,
  variableSetting: null,
  asksForConsent: false,
  takesFile: false,
  needsPictures: false,
  agentsCannot: null,
}

export interface ComponentType<Name extends string = string, Schema extends TObject = TObject>
  extends ComponentFacts,
    Traits {
  type: Name
  /** Settings besides id, type, roles, states, required and saveTo. Others are refused on saving, but may have been saved before. */
  settings: Schema
  /** Paths to settings that participants never receive. */
  secret: readonly string[]
  /** Settings that may name an uploaded picture or sound. */
  mediaFields: readonly MediaField[]
  /** Whether settings match the schema of the type. */
  fits(settings: Settings): boolean
  /** Settings as participants receive them, with defaults filled in; undefined if they do not match. */
  read(settings: Settings): Received<Schema> | undefined
  /** The response schema for these settings, which need no secrets. Not called when `responds` is `none`. */
  response(settings: Settings): TSchema
  /** The schema of what is stored: for nearly every type that of the response. */
  recorded(settings: Settings): TSchema
  /** Why a response that matches the schema is refused, in a sentence for agents and programs; undefined if it is not. */
  refusal(settings: Settings, value: unknown): string | undefined
  evaluate?(settings: Settings, value: unknown, context: ResponseContext): Evaluation
  /** False if these settings ask nothing (instructions without questions), so that the state does not wait. */
  asks(settings: Settings): boolean
  findings(settings: Settings, suggest: Suggest): Finding[]
  simulated: SimulatedType
}

/** A component type as declared: settings are typed by their schema, and common defaults are left out. */
interface Declaration<Name extends string, Schema extends TObject> extends ComponentFacts, Partial<Traits> {
  type: Name
  settings: Schema
  response?(settings: Received<Schema>): TSchema
  /** What is stored, where `evaluate` adds to the response. */
  recorded?(settings: Received<Schema>): TSchema
  /**
   * What JSON Schema cannot say, such as points that must add up: why the value is refused, as a sentence that says what to
   * answer instead. It needs no secrets, so that pages and agents can know before they send.
   */
  refusal?(settings: Received<Schema>, value: unknown): string | undefined
  /** The value already matches the response schema, but the function must narrow its type. */
  evaluate?(settings: Filled<Schema>, value: unknown, context: ResponseContext): Evaluation
  asks?(settings: Received<Schema>): boolean
  /** `written` distinguishes a default from the same value given explicitly. */
  findings?(settings: Filled<Schema>, written: Static<Schema>, suggest: Suggest): Finding[]
  /** How simulated participants respond, where a draw from the response schema is not enough. */
  simulated?: Simulated<Received<Schema>>
}

/**
 * Settings are parsed only here. Settings that do not match can only come from a revision that was saved before the
 * catalogue knew the type; the component is then treated as being of an unknown type, so that it still runs.
 */
export function declareType<const Name extends string, Schema extends TObject>(
  declared: Declaration<Name, Schema>,
): ComponentType<Name, Schema> {
  const { settings: schema, responds, response, recorded, refusal, evaluate, asks, findings } = declared
  const secret = secretPathsIn(schema)
  const fits = compiledOnce(schema)
  const received = receivedSchemaOf(schema)
  // Settings that match with their secrets also match without them.
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
    mediaFields: mediaFieldsIn(schema),
    fits,
    read,
    response(settings) {
      const known = response && read(settings)
      return known ? response(known) : Type.Unknown()
    },
    recorded(settings) {
      const known = recorded && read(settings)
      return known ? recorded(known) : this.response(settings)
    },
    refusal(settings, value) {
      const known = refusal && read(settings)
      return known && refusal(known, value)
    },
    asks(settings) {
      const known = asks && read(settings)
      return known ? asks(known) : responds !== 'none'
    },
    findings: (settings, suggest) =>
      findings && fits(settings) ? findings(fill(settings), settings, suggest) : [],
    ...(evaluate && {
      evaluate: (settings: Settings, value: unknown, context: ResponseContext) =>
        fits(settings) ? evaluate(fill(settings), value, context) : accepted,
    }),
    simulated: simulatedType(declared.simulated ?? {}, read),
  }
}
