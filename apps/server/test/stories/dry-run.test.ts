import { experimentRoutes, matchingRoutes } from '@atrium/contract'
import { describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

describeInOneMode('dry run of matching', (world) => {
  const cast = castOf(world)
  const dryRun = async (experimentId: string, body: unknown) => {
    const { token } = await cast.researcher()
    return cast.api.call(matchingRoutes.dryRun, { token, params: { experimentId }, body })
  }
  const negotiation = () =>
    cast.open({
      roles: [
        { id: 'buyer', min: 1, max: 1 },
        { id: 'seller', min: 1, max: 1 },
      ],
      matching: { groupSize: 2, deadlineMs: 60_000, onDeadline: 'end_paid' },
    })

  test('[M20] a researcher sees how the saved settings would perform, with the same result on every instance', async () => {
    const experimentId = await negotiation()
    const body = { arrivals: { people: 100, roles: { buyer: 3, seller: 1 } }, seed: 'pilot' }
    const result = succeeded(await dryRun(experimentId, body))
    expect(result.seed).toBe('pilot')
    expect(result.people.arrived).toBe(100)
    expect(result.people.endedByDeadline).toBeGreaterThan(0)
    expect(result.people.matched).toBe(2 * result.groups.total)
    expect(result.waitMs?.max).toBeLessThanOrEqual(60_000)
    for (const api of cast.eachApi()) {
      const { token } = await cast.researcher()
      const again = await api.call(matchingRoutes.dryRun, { token, params: { experimentId }, body })
      expect(again.body).toEqual(result)
    }
  })

  test('[M20] different settings can be tried without saving them, and no participant is created', async () => {
    const experimentId = await negotiation()
    const body = {
      arrivals: { people: 8, pattern: 'all_at_once', roles: { buyer: 1 } },
      matching: { groupSize: 2, deadlineMs: 1_000, onDeadline: 'start_short' },
    }
    expect(succeeded(await dryRun(experimentId, body)).groups).toMatchObject({ total: 0 })
    const { token } = await cast.researcher()
    const { revision, definition } = succeeded(
      await cast.api.call(experimentRoutes.read, { token, params: { experimentId } }),
    )
    expect([revision, definition.matching?.onDeadline]).toEqual([1, 'end_paid'])
    expect((await cast.monitor(experimentId)).participants.total).toBe(0)
  })

  test('[M30] [M31] answers are drawn, and a part that is short shows', async () => {
    const experimentId = await cast.open({ variables: { opinion: { scope: 'participant' } } })
    const body = {
      arrivals: { people: 100, variables: { opinion: { for: 9, against: 1 } } },
      matching: {
        groupSize: 2,
        compose: [
          { when: "opinion == 'for'", count: 1 },
          { when: "opinion == 'against'", count: 1 },
        ],
      },
    }
    const { parts, people, firstCome } = succeeded(await dryRun(experimentId, body))
    expect(people.matched).toBe(2 * (parts[1]?.people ?? 0))
    expect(parts[1]?.shortShare).toBeGreaterThan(parts[0]?.shortShare ?? 1)
    expect(firstCome?.matched).toBe(100)
  })

  test.each<[string, object, string]>([
    [
      'a variable that the study does not declare',
      { arrivals: { people: 1, variables: { opinion: { for: 1 } } } },
      '/arrivals/variables/opinion',
    ],
    [
      'a part that reads what nobody has',
      {
        arrivals: { people: 1 },
        matching: { groupSize: 2, compose: [{ when: 'opinion > 3', count: 2 }] },
      },
      '/matching/compose/0/when',
    ],
    ['too many people', { arrivals: { people: 20_001 } }, '/arrivals/people'],
    ['nobody', { arrivals: { people: 0 } }, '/arrivals/people'],
    ['no arrivals', {}, '/arrivals'],
    ['an unknown role', { arrivals: { people: 1, roles: { judge: 1 } } }, '/arrivals/roles/judge'],
    ['a weight of zero', { arrivals: { people: 1, roles: { buyer: 0 } } }, '/arrivals/roles/buyer'],
    [
      'settings that could not be saved',
      { arrivals: { people: 1 }, matching: { groupSize: 2, onDeadline: 'end_paid' } },
      '/matching/onDeadline',
    ],
  ])('[R9] a dry run with %s is refused with the path of the error', async (_, body, path) => {
    const answer = await dryRun(await negotiation(), body)
    expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(answer)).toContain(path)
  })

  test('[R9] an unknown experiment has no dry run', async () => {
    const answer = await dryRun('exp_nowhere', { arrivals: { people: 1 } })
    expect(refusalOf(answer)).toMatchObject({ status: 404, code: 'EXPERIMENT_NOT_FOUND' })
  })

  test('[M21] a long one runs in slices: other requests are answered before it is done', async () => {
    const experimentId = await cast.open({ matching: { groupSize: 2, exclusions: [{ different: 'x' }] } })
    const values = Object.fromEntries(Array.from({ length: 900 }, (_, value) => [`v${value}`, 1]))
    const finished: string[] = []
    const server = world().any()
    const { token } = await cast.researcher()
    const long = fetch(`${server.http}/api/experiments/${experimentId}/matching/dry-run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ arrivals: { people: 400, attributes: { x: values } } }),
    }).then((answer) => finished.push(`dry run ${answer.status}`))
    const short = fetch(`${server.http}/health/live`).then(() => finished.push('other'))
    await Promise.all([long, short])
    expect(finished).toEqual(['other', 'dry run 200'])
  })
})
