import type { ExperimentDefinition } from '@atrium/contract'
import type { Value } from '@atrium/expressions'
import { actorOf, type RoomAction } from './room-action.ts'
import type { RoomState, Seat } from './room-state.ts'

/** What somebody has written, to be found where rules have copied it. */
export interface PersonsWords {
  participantId: string
  written: Set<string>
}

/** Shorter texts are found only where they stand alone. */
const fewestCharactersWithin = 8

export const wordsOf = ({ participantId }: { participantId: string }): PersonsWords => ({
  participantId,
  written: new Set(),
})

/** Adds what they wrote with this action. What the definition says itself, such as an option, is nobody's word. */
export function addWordsOf(words: PersonsWords, action: RoomAction, definition: ExperimentDefinition): void {
  const texts = textsOf(action, words).filter((text) => text !== '' && !words.written.has(text))
  if (texts.length === 0) return
  const said = JSON.stringify(definition)
  for (const text of texts) if (!said.includes(JSON.stringify(text))) words.written.add(text)
}

function textsOf(action: RoomAction, { participantId, written }: PersonsWords): string[] {
  // R68: what they brought from the stages before may be what they wrote there.
  if (action.type === 'opened')
    return action.members.flatMap((member) =>
      member.participantId === participantId ? textsIn(member.carried?.variables) : [],
    )
  if (actorOf(action) !== participantId) return []
  if (action.type === 'send_message') written.add(action.text)
  return action.type === 'submit_response' ? textsIn(action.value) : []
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** R48: variables that hold their words, in whole or in part, lose them. What others have answered as well stays. */
export function withoutWords(
  variables: RoomState['variables'],
  seats: readonly Seat[],
  words: PersonsWords,
): { variables: RoomState['variables']; seats: readonly Seat[] } {
  if (words.written.size === 0) return { variables, seats }
  const answered = new Set(textsIn(seats.map(({ responses }) => responses)))
  const theirs = new Set([...words.written].filter((text) => !answered.has(text)))
  const long = [...theirs].filter(({ length }) => length >= fewestCharactersWithin)
  const cleaned = (value: Value): Value => {
    if (typeof value === 'string')
      return theirs.has(value) || long.some((text) => value.includes(text)) ? '' : value
    if (Array.isArray(value)) return value.map(cleaned)
    return typeof value === 'object' && value !== null ? cleanedAll(value) : value
  }
  const cleanedAll = (values: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cleaned(value)]))
  return {
    variables: cleanedAll(variables),
    seats: seats.map((seat) => ({ ...seat, variables: cleanedAll(seat.variables) })),
  }
}
