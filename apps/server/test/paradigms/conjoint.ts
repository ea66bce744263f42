import { trialsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

export const recomputation: Recomputation = {
  participants: 6,
  compute: ({ people, trials, draws }) =>
    people.map(({ participantId }) => {
      const tasks = trialsOf(trials, participantId, 'task')
      if (new Set(tasks.map(({ row_situation }) => row_situation)).size !== 8)
        throw new Error(`${participantId} did not see each situation once`)
      const drawn = (variable: string) =>
        draws.filter((row) => row.participantId === participantId && row.variable === variable)
      const compared = (name: string) =>
        tasks.map(({ task__choice }, at) => {
          const [a, b] = [drawn(`${name}_a`)[at]?.value, drawn(`${name}_b`)[at]?.value].map(Number)
          return task__choice === 'a' ? Number(a) - Number(b) : Number(b) - Number(a)
        })
      const [rents, sizes] = [compared('rent'), compared('size')]
      const variables = {
        compared_rent: rents.filter((more) => more !== 0).length,
        took_cheaper: rents.filter((more) => more < 0).length,
        compared_size: sizes.filter((more) => more !== 0).length,
        took_larger: sizes.filter((more) => more > 0).length,
      }
      return { participantId, variables, amount: 1 }
    }),
}
