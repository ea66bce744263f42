import { meanOf, trialsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

export const recomputation: Recomputation = {
  participants: 3,
  compute: ({ people, trials }) =>
    people.map(({ participantId }) => {
      const rated = trialsOf(trials, participantId, 'rate')
      if (new Set(rated.map(({ row_picture }) => row_picture)).size !== 40)
        throw new Error(`${participantId} did not see forty different pictures`)
      const ofPeople = rated.filter(({ row_kind }) => row_kind === 'people')
      const pleasant = (rows: typeof rated) => rows.map(({ rate__pleasant }) => Number(rate__pleasant))
      const variables = {
        ...{ rated: 40, people_rated: ofPeople.length },
        people_pleasant: pleasant(ofPeople).reduce((sum, rating) => sum + rating, 0),
        mean_pleasant: meanOf(pleasant(rated)),
        mean_exciting: meanOf(rated.map(({ rate__exciting }) => Number(rate__exciting))),
      }
      return { participantId, variables, amount: 2 }
    }),
}
