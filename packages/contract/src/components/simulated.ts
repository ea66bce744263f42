import type { TSchema } from 'typebox'

/** Random draws for a simulated answer. */
interface AnswerDraws {
  /** A number in [0, 1). */
  random(): number
  /** A random value that matches the schema. */
  from(schema: TSchema): unknown
}

/** A response given while something plays. */
interface Moment {
  /** Time since the state was entered. */
  atMs: number
  /** Adapts a drawn answer to the moment. */
  adapt?(drawn: unknown): unknown
}

/** How simulated participants respond to a component type, as declared. */
export interface Simulated<Known> {
  /** Time that people usually take; 2 seconds by default. */
  usualMs?: number
  /** Earliest time at which it can be answered, with this answer where one was drawn. */
  earliestMs?(settings: Known, answer?: unknown): number
  /** A realistic answer. `drawn` already matches the response schema, but may make little sense. */
  answer?(settings: Known, drawn: unknown, draws: AnswerDraws): unknown
  /** How long it plays. */
  playsMs?(settings: Known): number
  /** When it is answered while media of this length plays; by default once, halfway through. */
  moments?(settings: Known, mediaMs: number): Moment[]
}

/** The same for components as received over the network. */
export interface SimulatedType {
  usualMs: number
  earliestMs(component: Component, answer?: unknown): number
  answer(component: Component, drawn: unknown, draws: AnswerDraws): unknown
  /** Undefined if it plays nothing. */
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
    earliestMs(component, answer) {
      const known = earliestMs && read(component)
      return known ? earliestMs(known, answer) : 0
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
