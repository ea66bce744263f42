import type { PlayedStudy, RecordedDraw } from './recomputation.ts'

type Response = PlayedStudy['responses'][number]

/** Everything of one room, people in the order of their seats. */
export function roomsOf({
  people,
  responses,
  trials,
  states,
  messages,
  draws,
  edges,
}: PlayedStudy): PlayedStudy[] {
  const seated = people.toSorted((a, b) => Number(a.alias?.slice(1)) - Number(b.alias?.slice(1)))
  return [...Map.groupBy(seated, ({ roomId }) => roomId)].map(([roomId, members]) => {
    const isHere = (row: { roomId: string | null }) => row.roomId === roomId
    return {
      people: members,
      responses: responses.filter(isHere),
      trials: trials.filter(isHere),
      states: states.filter(isHere),
      messages: messages.filter(isHere),
      draws: draws.filter(isHere),
      edges: edges.filter(isHere),
    }
  })
}

/** Whose answer and when, where there are several to a component. */
type Which = { participantId?: string; round?: number }

/** The one answer to a component; throws if there is none, or another one as well. */
export function answerOf(responses: readonly Response[], componentId: string, which: Which = {}): unknown {
  const found = responses.filter(
    (row) => row.componentId === componentId && row.missing === null && fits(row, which),
  )
  if (found.length !== 1)
    throw new Error(`${componentId} has ${found.length} answers ${JSON.stringify(which)}`)
  return found[0]?.value
}

/** What was drawn into a variable; throws if nothing was. */
export function drawnOf(draws: readonly RecordedDraw[], variable: string, which: Which = {}): unknown {
  const found = draws.filter((row) => row.variable === variable && fits(row, which))
  if (found.length !== 1)
    throw new Error(`${variable} was drawn ${found.length} times ${JSON.stringify(which)}`)
  return found[0]?.value
}

/** With the columns of the study. */
type Trial = PlayedStudy['trials'][number] & Readonly<Record<string, unknown>>

/**
 * The trials of one person in the order played: of a component that runs trials of its own, or of the block whose trials begin
 * with this state.
 */
export const trialsOf = (trials: PlayedStudy['trials'], participantId: string, of: string): Trial[] =>
  trials.filter(
    (row) =>
      row.participantId === participantId && of === (row.source === 'block' ? row.stateId : row.componentId),
  )

export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Of a sample. */
export function deviationOf(values: readonly number[]): number {
  const mean = Number(meanOf(values))
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

const fits = (row: { participantId: string | null; round: number | null }, which: Which): boolean =>
  (which.participantId === undefined || which.participantId === row.participantId) &&
  (which.round === undefined || which.round === row.round)
