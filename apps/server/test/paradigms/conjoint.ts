import { trialsOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

const attributes = ['rent', 'size', 'way', 'floor', 'balcony', 'heating']

export const recomputation: Recomputation = {
  participants: 6,
  compute: ({ people, trials, draws }) =>
    people.map(({ participantId }) => {
      const tasks = trialsOf(trials, participantId, 'task')
      if (new Set(tasks.map(({ row_situation }) => row_situation)).size !== 8)
        throw new Error(`${participantId} did not see each situation once`)
      const drawn = (variable: string) =>
        draws.filter((row) => row.participantId === participantId && row.variable === variable)
      // Whoever has the table of trials needs no events.
      for (const variable of attributes.flatMap((name) => [`${name}_a`, `${name}_b`]))
        if (tasks.some((task, at) => task[`var_${variable}`] !== drawn(variable)[at]?.value))
          throw new Error(`the trials of ${participantId} have another ${variable} than was drawn`)
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
