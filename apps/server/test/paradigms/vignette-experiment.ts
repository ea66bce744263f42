import { answerOf } from './raw-data.ts'
import type { Recomputation } from './recomputation.ts'

const agreement = ['trustworthy', 'careless', 'honest']

export const recomputation: Recomputation = {
  participants: 24,
  compute: ({ people, responses }) =>
    people.map(({ participantId, condition }) => {
      const of = (componentId: string) => answerOf(responses, componentId, { participantId })
      const { answer } = of('attention') as { answer: unknown }
      // Whoever fails is screened out before anything else is asked.
      if (answer !== 'on paper')
        return { participantId, variables: { trust: null, leaves: 0, recalled: 0 }, amount: 0 }
      const [trustworthy = 0, careless = 0, honest = 0] = agreement.map((id) => Number(of(id)))
      const [cause, reply] = condition?.split('×') ?? []
      const remembered = [
        of('flaw_known') === (cause === 'negligent' ? 'yes' : 'no'),
        of('apologised') === (reply === 'apology' ? 'yes' : 'no'),
      ]
      const leaves = of('stay') === 'no'
      const reasons = responses.filter(
        (row) => row.participantId === participantId && row.componentId === 'why_leave',
      )
      if (reasons.some(({ missing }) => missing !== (leaves ? null : 'not_shown')))
        throw new Error(`${participantId} was asked why although they stay, or was not asked`)
      const variables = {
        trust: (trustworthy + 8 - careless + honest) / 3,
        leaves: leaves ? 1 : 0,
        recalled: remembered.filter(Boolean).length,
      }
      return { participantId, variables, amount: 1.2 }
    }),
}
