import { Type } from 'typebox'
import { Count } from '../text.ts'
import { defineRoute } from './route.ts'

const Money = (description: string) => Type.Number({ description })

export const PaymentForecast = Type.Object(
  {
    currency: Type.String({ description: 'ISO 4217' }),
    people: Count('How many people are to be paid'),
    simulated: Count(
      'Simulated people who played to an end; the figures are about those of them who are paid',
    ),
    paid: Count('How many of them are paid, and how much is known'),
    unpaid: Count('How many ended with an outcome that is not paid'),
    unknown: Count('How many are paid without anybody knowing how much: what they are paid by is no number'),
    perPerson: Type.Union(
      [
        Type.Object({
          mean: Money('Mean amount, rounded as money'),
          lowest: Money('Smallest amount'),
          highest: Money('Largest amount'),
        }),
        Type.Null(),
      ],
      { description: 'Null if none of them is paid a known amount' },
    ),
    total: Type.Union([Money('The mean times the number of people'), Type.Null()]),
  },
  { description: 'What a study is expected to cost' },
)
export type PaymentForecast = Type.Static<typeof PaymentForecast>

export const forecastRoutes = {
  payments: defineRoute({
    tag: 'Experiments',
    envelope: 'plain',
    auth: 'researcher',
    access: 'view',
    work: 'check',
    method: 'POST',
    path: '/api/experiments/:experimentId/payment-forecast',
    summary: 'Estimate what participants will be paid',
    description:
      'Simulated people, who answer at random and never leave, play the latest revision, or the `definition` that is sent, which is checked as when it is saved. Agents are played in the same way. Nothing is stored. The same request gives the same figures.',
    params: Type.Object({ experimentId: Type.String() }),
    body: Type.Object(
      {
        people: Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'How many people are to be paid',
        }),
        definition: Type.Optional(
          Type.Unknown({ description: 'A definition to play instead of the latest revision' }),
        ),
      },
      { additionalProperties: false },
    ),
    success: { status: 200, schema: PaymentForecast, description: 'What the study is expected to cost' },
  }),
} as const
