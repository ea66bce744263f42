import type { RoomEvent } from '@atrium/contract'
import type { Observed } from './blended-room.ts'

/** All that one could measure of each of the others. */
export const featureNames = [
  'alias',
  'place',
  'there at once',
  'came after ms',
  'came as the how-manieth',
  'changes of presence',
  'messages',
  'typed per second',
  'first message after ms',
  'after the message before',
  'first answer after ms',
  'from answer to answer',
  'from message to button',
  'from answer to button',
  'button after ms',
  'things in one moment',
  'was the last in a state',
  'events',
  'kinds of events',
  'fields',
] as const

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

const aliasOf = (event: RoomEvent): string | undefined =>
  'alias' in event ? event.alias : event.type === 'message' ? event.message.from : undefined

/** The features of the others in a room, in the order in which they are shown. */
function featuresOf({ snapshot, events }: Observed): { alias: string; features: number[] }[] {
  const entered = events.filter(({ type }) => type === 'state_entered')
  /** When the state began in which this happened. */
  const startOf = ({ seq }: RoomEvent): number =>
    entered.findLast((start) => start.seq < seq)?.at ?? snapshot.state?.enteredAt ?? snapshot.serverTime
  const isLastOfState = ({ seq }: RoomEvent): boolean =>
    events[events.findIndex((event) => event.seq === seq) + 1]?.type === 'state_entered'
  const arrivals = events.filter((one) => one.type === 'presence' && one.presence === 'connected')
  return snapshot.others.map((other, place) => {
    const theirs = events.filter((event) => aliasOf(event) === other.alias)
    const [messages, answers, buttons, presences] = (
      ['message', 'response_recorded', 'ready', 'presence'] as const
    ).map((type) => theirs.filter((event) => event.type === type)) as [
      Extract<RoomEvent, { type: 'message' }>[],
      RoomEvent[],
      RoomEvent[],
      RoomEvent[],
    ]
    const sinceEntry = (those: readonly RoomEvent[]): number[] =>
      those.map((one) => Math.log(1 + one.at - startOf(one)))
    const gaps = (those: readonly RoomEvent[], from: readonly RoomEvent[]): number[] =>
      those.flatMap((event) => {
        const former = from.findLast((one) => one.seq < event.seq && startOf(one) === startOf(event))
        return former ? [Math.log(1 + event.at - former.at)] : []
      })
    const arrival = presences.find((one) => one.type === 'presence' && one.presence === 'connected')
    const speeds = messages.map((one) => one.message.text.length / (1 + one.at - startOf(one)))
    const moments = theirs.filter((one, index) => theirs[index - 1]?.at === one.at).length
    const features = [
      Number(other.alias.slice(1)),
      place,
      other.presence === 'connected' ? 1 : 0,
      arrival ? Math.log(1 + arrival.at - snapshot.serverTime) : 0,
      arrival ? arrivals.indexOf(arrival as (typeof arrivals)[number]) : -1,
      presences.length,
      messages.length,
      mean(speeds) * 1_000,
      mean(sinceEntry(messages.slice(0, 1))),
      mean(
        gaps(
          messages,
          events.filter(({ type }) => type === 'message'),
        ),
      ),
      mean(sinceEntry(answers)),
      mean(gaps(answers, answers)),
      mean(gaps(buttons, messages)),
      mean(gaps(buttons, answers)),
      mean(sinceEntry(buttons)),
      moments,
      theirs.filter(isLastOfState).length,
      theirs.length,
      new Set(theirs.map(({ type }) => type)).size,
      Object.keys(other).length + theirs.reduce((sum, one) => sum + JSON.stringify(one).length, 0) / 1_000,
    ]
    return { alias: other.alias, features }
  })
}

/** A room as a riddle: the features of the others, and which of them is the agent. */
export interface Riddle {
  others: number[][]
  agent: number
}

export function riddleOf(room: Observed): Riddle {
  const others = featuresOf(room)
  const size = featureNames.length
  // Compared within the room: what is far from the others stands out.
  const columns = Array.from({ length: size }, (_, index) =>
    others.map(({ features }) => features[index] ?? 0),
  )
  const scaled = columns.map((values) => {
    const centre = mean(values)
    const spread = Math.sqrt(mean(values.map((value) => (value - centre) ** 2)))
    return values.map((value) => (spread < 1e-9 ? 0 : (value - centre) / spread))
  })
  return {
    others: others.map((_, at) => scaled.map((values) => values[at] ?? 0)),
    agent: others.findIndex(({ alias }) => alias === room.agent),
  }
}

const best = (others: readonly number[][], score: (features: readonly number[]) => number): number => {
  const scores = others.map(score)
  return scores.indexOf(Math.max(...scores))
}

/** In how many rooms the one with the most, or the least, of one feature is the agent: whichever guesses better. */
export const hitsByFeature = (riddles: readonly Riddle[]): { name: string; hits: number }[] =>
  featureNames
    .map((name, index) => {
      const hits = (sign: number): number =>
        riddles.filter(({ others, agent }) => {
          const values = others.map((one) => sign * (one[index] ?? 0))
          const max = Math.max(...values)
          const tied = values.filter((value) => value === max).length
          // Where nothing stands out, this feature says nothing.
          return tied === 1 && values.indexOf(max) === agent
        }).length
      return { name, hits: Math.max(hits(1), hits(-1)) }
    })
    .sort((one, other) => other.hits - one.hits)

const folds = 10

/** A conditional logistic regression, trained on nine tenths of the rooms and tried on the rest, ten times. */
export function hitsOfModel(riddles: readonly Riddle[]): number {
  const withSquares = riddles.map(({ others, agent }) => ({
    others: others.map((features) => [...features, ...features.map((value) => value * value)]),
    agent,
  }))
  let hits = 0
  for (let fold = 0; fold < folds; fold++) {
    const weights = train(withSquares.filter((_, index) => index % folds !== fold))
    const tried = withSquares.filter((_, index) => index % folds === fold)
    hits += tried.filter(({ others, agent }) => best(others, (one) => dot(weights, one)) === agent).length
  }
  return hits
}

const dot = (weights: readonly number[], features: readonly number[]): number =>
  features.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0)

const rounds = 150
const rate = 0.3
const shrink = 0.01

function train(riddles: readonly Riddle[]): number[] {
  const size = riddles[0]?.others[0]?.length ?? 0
  const weights = Array.from({ length: size }, () => 0)
  for (let round = 0; round < rounds; round++) {
    const slope = Array.from({ length: size }, () => 0)
    for (const { others, agent } of riddles) {
      const scores = others.map((one) => Math.exp(dot(weights, one)))
      const sum = scores.reduce((all, one) => all + one, 0)
      for (const [at, one] of others.entries()) {
        const error = (at === agent ? 1 : 0) - (scores[at] ?? 0) / sum
        for (let index = 0; index < size; index++)
          slope[index] = (slope[index] ?? 0) + error * (one[index] ?? 0)
      }
    }
    for (let index = 0; index < size; index++) {
      const weight = weights[index] ?? 0
      weights[index] = weight + rate * ((slope[index] ?? 0) / riddles.length - shrink * weight)
    }
  }
  return weights
}
