import type { TSchema } from 'typebox'

/** What a simulated answer may be drawn with. */
export interface AnswerDraws {
  /** A number in [0, 1). */
  random(): number
  /** A value that the schema accepts. */
  from(schema: TSchema): unknown
}

/** A response given while something plays. */
interface Moment {
  /** Since the state was entered. */
  atMs: number
  /** Makes a drawn answer fit the moment. */
  adapt?(drawn: unknown): unknown
}

/** How simulated participants treat components of a type, in the words of its declaration. */
export interface Simulated<Known> {
  /** Time that people usually take for it; 2 seconds when absent. */
  usualMs?: number
  /** Time after which it can be answered at the earliest. */
  earliestMs?(settings: Known): number
  /** An answer as a person would give it. `drawn` fits the response schema already, but may make little sense. */
  answer?(settings: Known, drawn: unknown, draws: AnswerDraws): unknown
  /** How long it plays. */
  playsMs?(settings: Known): number
  /** When it is answered while media of this length play; once, halfway, when absent. */
  moments?(settings: Known, mediaMs: number): Moment[]
}

/** The same for components as they come over the network. */
export interface SimulatedType {
  usualMs: number
  earliestMs(component: Component): number
  answer(component: Component, drawn: unknown, draws: AnswerDraws): unknown
  /** Undefined when it plays nothing. */
  playsMs(component: Component): number | undefined
  moments(component: Component, mediaMs: number): Moment[]
}

type Component = Record<string, unknown>

const usualMs = 2_000

export function simulatedType<Known>(
  declared: Simulated<Known>,
  read: (component: Component) => Known | undefined,
): SimulatedType {
  const { earliestMs, answer, playsMs, moments } = declared
  const playedMs = (component: Component): number | undefined => {
    const known = playsMs && read(component)
    return known && playsMs(known)
  }
  return {
    usualMs: declared.usualMs ?? usualMs,
    earliestMs(component) {
      const known = earliestMs && read(component)
      return known ? earliestMs(known) : 0
    },
    answer(component, drawn, draws) {
      const known = answer && read(component)
      return known ? answer(known, drawn, draws) : drawn
    },
    playsMs: playedMs,
    moments(component, mediaMs) {
      const known = moments && read(component)
      return known ? moments(known, mediaMs) : [{ atMs: playedMs(component) ?? mediaMs / 2 }]
    },
  }
}
