import { experimentRoutes, forecastRoutes } from '@atrium/contract'
import { describeInOneMode, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

const rating = { id: 'points', type: 'slider', min: 0, max: 10, required: true, saveTo: 'points' }
const paid = smallestDefinition({
  variables: { points: { scope: 'participant', initial: 0 } },
  states: [{ id: 'rate', components: [rating] }],
  completion: { payment: { currency: 'EUR', base: 1, bonus: 'points', rate: 0.5 } },
})

describeInOneMode('the forecast of payments', (world) => {
  const cast = castOf(world)
  const forecast = async (experimentId: string, body: unknown) => {
    const { token } = await cast.researcher()
    return cast.api.call(forecastRoutes.payments, { token, params: { experimentId }, body })
  }

  test('[R64] a researcher sees what the saved study would cost, and nobody has taken part in it', async () => {
    const experimentId = await cast.open(paid)
    const found = succeeded(await forecast(experimentId, { people: 50 }))
    expect(found).toMatchObject({ currency: 'EUR', people: 50, simulated: 200, paid: 200 })
    expect(found.perPerson?.mean).toBeGreaterThan(2)
    expect(found.perPerson?.mean).toBeLessThan(5)
    expect(succeeded(await forecast(experimentId, { people: 50 }))).toEqual(found)
    expect((await cast.monitor(experimentId)).participants.total).toBe(0)
  })

  test('[R64] a draft can be estimated before it is saved, and is checked first', async () => {
    const experimentId = await cast.open(smallestDefinition())
    expect(issuePathsOf(await forecast(experimentId, { people: 10 }))).toEqual(['/completion/payment'])
    const found = succeeded(await forecast(experimentId, { people: 10, definition: paid }))
    expect(found.total).toBeGreaterThan(10)
    const broken = { ...paid, completion: { payment: { currency: 'EUR', bonus: 'pionts' } } }
    expect(issuePathsOf(await forecast(experimentId, { people: 10, definition: broken }))).toEqual([
      '/completion/payment/bonus',
    ])
    const { token } = await cast.researcher()
    const read = succeeded(await cast.api.call(experimentRoutes.read, { token, params: { experimentId } }))
    expect(read.revision).toBe(1)
  })

  test('[R64,R37] hostile bodies are refused, and so is whoever may not see the study', async () => {
    const experimentId = await cast.open(paid)
    for (const body of [{}, { people: 0 }, { people: 1e9 }, { people: 1.5 }, { people: 1, speed: 2 }])
      expect(refusalOf(await forecast(experimentId, body)).code).toBe('VALIDATION_FAILED')
    const nested = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`)
    for (const definition of [null, 7, [], nested, { states: 'x' }])
      expect(refusalOf(await forecast(experimentId, { people: 1, definition })).code).toBe(
        'VALIDATION_FAILED',
      )
    const { token } = await cast.person()
    const asked = { token, params: { experimentId }, body: { people: 1 } }
    expect(refusalOf(await cast.api.call(forecastRoutes.payments, asked)).code).toBe('FORBIDDEN')
  })
})
